"""Does this evidence support this claim? Judges behind one interface."""
