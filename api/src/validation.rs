//! Checks of texts that people type: each fault names its member, and all are reported at once.

use crate::problem::{Code, FieldProblem, Problem};

/// Longest name, in characters.
pub const MAX_NAME: usize = 200;

/// What is wrong with a body.
#[derive(Debug, Default)]
pub struct FieldErrors(Vec<FieldProblem>);

impl FieldErrors {
    /// A member breaks a rule.
    pub fn add(&mut self, pointer: &str, detail: impl Into<String>) {
        self.0.push(FieldProblem { pointer: pointer.to_owned(), detail: detail.into() });
    }

    /// A text that is there must not be too long.
    pub fn at_most(&mut self, pointer: &str, text: Option<&str>, max: usize) {
        if text.is_some_and(|text| text.chars().count() > max) {
            self.add(pointer, format!("must have at most {max} characters"));
        }
    }

    /// A text that is there must stand on one line, not blank, not too long.
    pub fn line(&mut self, pointer: &str, text: Option<&str>, max: usize) {
        self.at_most(pointer, text, max);
        let Some(text) = text else { return };
        if text.trim().is_empty() {
            self.add(pointer, "must not be blank");
        }
        if text.chars().any(char::is_control) {
            self.add(pointer, "must not hold control characters");
        }
    }

    /// # Errors
    /// 422 where there is a fault.
    pub fn into_result(self) -> Result<(), Problem> {
        if self.0.is_empty() { Ok(()) } else { Err(Problem::broken(Code::InvalidRequest, self.0)) }
    }
}
