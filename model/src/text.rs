//! Texts that keep a rule. It stands once: for whoever checks a text, and for whoever reads its schema. And any text in one
//! line.

/// Words in one line, without what a terminal or a parser would take for orders.
#[must_use]
pub fn in_one_line(text: &str) -> String {
    let words = text.split(|letter: char| letter.is_whitespace() || letter.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Why a text was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {rule}")]
pub struct InvalidText {
    /// What the text was to be.
    pub what: &'static str,
    /// The rule that the text breaks.
    pub rule: &'static str,
}

/// A type of texts: what they are called, their rule in words, as JSON Schema, and as a check of a text.
macro_rules! ruled_text {
    ($(#[$doc:meta])* $name:ident($what:literal): $rule:expr, { $($key:literal = $value:tt),* }, $holds:expr) => {
        $(#[$doc])*
        #[derive(
            Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(try_from = "String", into = "String")]
        #[schemars(extend($($key = $value),*))]
        pub struct $name(String);

        impl $name {
            /// # Errors
            /// When the text breaks the rule.
            pub fn new(text: impl Into<String>) -> Result<Self, crate::InvalidText> {
                let text = text.into();
                let holds: fn(&str) -> bool = $holds;
                if holds(&text) { Ok(Self(text)) } else { Err(crate::InvalidText { what: $what, rule: $rule }) }
            }

            /// The text, which keeps the rule.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = crate::InvalidText;
            fn try_from(text: String) -> Result<Self, Self::Error> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::InvalidText;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::new(text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
pub(crate) use ruled_text;
