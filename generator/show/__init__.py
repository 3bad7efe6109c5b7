"""What each stage of the compiler made, for people: `mbdgen show`."""
