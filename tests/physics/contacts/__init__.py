"""Contact, friction and rolling."""
