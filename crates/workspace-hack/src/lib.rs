//! Nothing but its manifest: the features of shared dependencies, named once.
