//! The integration suite.
