//! From one automaton to a simpler one, with a way back for evidence.
