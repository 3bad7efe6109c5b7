"""Contact laws: one file for each, stated as what is added to the elastic force."""
