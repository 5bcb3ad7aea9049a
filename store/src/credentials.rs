//! Credentials: what the API knows of a token, by its hash.
//!
//! They lie in one slot of their own, away from tenants' data, because a request is looked up by hash before its
//! tenant is known.

use crate::{
    Error, Store,
    job_record::Fields,
    script::{Call, Script},
};
use chrono::{DateTime, Utc};
use gleaner_model::{ScopeSet, Subject, TenantId, TokenHash, TokenId};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

static PUT: LazyLock<Script> = LazyLock::new(|| Script::on_credentials(include_str!("scripts/put_credential.lua")));
static REMOVE: LazyLock<Script> =
    LazyLock::new(|| Script::on_credentials(include_str!("scripts/remove_credential.lua")));
static LIST: LazyLock<Script> = LazyLock::new(|| Script::on_credentials(include_str!("scripts/list_credentials.lua")));
static TOUCH: LazyLock<Script> = LazyLock::new(|| Script::on_credentials(include_str!("scripts/touch_credential.lua")));

/// A use is written down at most once in this time.
const TOUCH_EVERY_MS: u32 = 3_600_000;
/// How long an expired credential can still be listed, and a resource's generation is remembered.
const KEPT_MS: i64 = 7 * 24 * 3_600_000;

/// What a token stands for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Credential {
    /// SHA-256 of the token.
    pub hash: TokenHash,
    /// The token's public part.
    pub token_id: TokenId,
    /// Whose data it opens.
    pub tenant: TenantId,
    /// What people call it.
    #[serde(default)]
    pub name: Option<String>,
    /// Who it speaks for.
    pub subject: Subject,
    /// What it allows.
    pub scopes: ScopeSet,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it ends; none: never.
    #[serde(default)]
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether it is refused for the time being.
    #[serde(default)]
    pub suspended: bool,
    /// When it was last used, to the hour. The store keeps it; writing a credential does not change it.
    #[serde(skip)]
    pub last_used_at: Option<DateTime<Utc>>,
    /// Who wrote it.
    pub origin: Origin,
}

/// Who wrote a credential.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Origin {
    /// The API or the command line, on its own.
    Store,
    /// The controller, for a resource.
    Resource {
        /// The resource's uid.
        uid: String,
        /// Its name.
        name: String,
        /// The generation of its spec that this credential says.
        generation: i64,
    },
}

impl Origin {
    /// The resource's uid and generation; `""` and 0 where there is no resource.
    fn revision(&self) -> (&str, i64) {
        match self {
            Self::Store => ("", 0),
            Self::Resource { uid, generation, .. } => (uid, *generation),
        }
    }
}

/// What became of a credential that was to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// It is there now, and every API process has been told.
    Written,
    /// It was there, just so.
    Unchanged,
    /// A newer generation of the same resource has written since: nothing changed.
    Stale,
    /// The hash, or the token id, belongs to another token: nothing changed.
    Taken,
}

impl Store {
    /// Writes a credential. Never undoes what a newer generation of the same resource wrote, never takes over what
    /// another resource or tenant wrote; keeps `last_used_at`.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn put_credential(&self, credential: &Credential) -> Result<Written, Error> {
        let json = serde_json::to_string(credential).map_err(Error::corrupt)?;
        let (uid, generation) = credential.origin.revision();
        let gone_at = credential.expires_at.map_or(0, |time| time.timestamp_millis() + KEPT_MS);
        let call = self
            .credentials_call(&PUT)
            .show(credential.hash.hex())
            .arg(credential.tenant.as_str())
            .arg(credential.token_id.as_str())
            .arg(&json)
            .arg(uid)
            .show(generation)
            .show(KEPT_MS)
            .show(gone_at);
        match call.run::<String>(&self.0.connection).await?.as_str() {
            "written" => Ok(Written::Written),
            "unchanged" => Ok(Written::Unchanged),
            "stale" => Ok(Written::Stale),
            _ => Ok(Written::Taken),
        }
    }

    /// The credential of that hash.
    ///
    /// # Errors
    /// When the store cannot be asked, or the record cannot be read.
    pub async fn find_credential(&self, hash: &TokenHash) -> Result<Option<Credential>, Error> {
        let key = self.0.keys.credential(&hash.hex());
        read(&self.0.connection.query(redis::cmd("HGETALL").arg(key)).await?)
    }

    /// The tenant's credentials, oldest first.
    ///
    /// # Errors
    /// As [`Store::find_credential`].
    pub async fn list_credentials(&self, tenant: &TenantId) -> Result<Vec<Credential>, Error> {
        let (_, mut found) = self.list(tenant.as_str(), "", 0).await?;
        found.sort_by(|a, b| (a.created_at, &a.token_id).cmp(&(b.created_at, &b.token_id)));
        Ok(found)
    }

    /// A page of all credentials, in the order of their hashes, and where the next page begins.
    ///
    /// # Errors
    /// As [`Store::find_credential`].
    pub async fn all_credentials(
        &self,
        after: Option<&TokenHash>,
        limit: usize,
    ) -> Result<(Vec<Credential>, Option<TokenHash>), Error> {
        let from = after.map_or(String::new(), TokenHash::hex);
        let (last, found) = self.list("", &from, limit).await?;
        let next = if last.is_empty() { None } else { Some(format!("sha256:{last}").parse().map_err(Error::corrupt)?) };
        Ok((found, next))
    }

    async fn list(&self, tenant: &str, after: &str, limit: usize) -> Result<(String, Vec<Credential>), Error> {
        let call = self.credentials_call(&LIST).arg(tenant).arg(after).show(limit);
        let (last, records): (String, Vec<Fields>) = call.run(&self.0.connection).await?;
        let found = records.iter().filter_map(|fields| read(fields).transpose()).collect::<Result<_, _>>()?;
        Ok((last, found))
    }

    /// Removes a credential: every API process refuses it within two seconds. False when there was none.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_credential(&self, hash: &TokenHash) -> Result<bool, Error> {
        self.remove_if(hash, &Origin::Store).await
    }

    /// Removes a credential that this resource wrote. From then on no older generation of the resource can write it
    /// again. False when there was none, when it belongs to another, or when a newer generation has written since.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_credential_of(&self, hash: &TokenHash, resource: &Origin) -> Result<bool, Error> {
        self.remove_if(hash, resource).await
    }

    async fn remove_if(&self, hash: &TokenHash, origin: &Origin) -> Result<bool, Error> {
        let (uid, generation) = origin.revision();
        let call = self.credentials_call(&REMOVE).show(hash.hex()).arg("").arg("");
        call.arg(uid).show(generation).show(KEPT_MS).run(&self.0.connection).await
    }

    /// Removes the tenant's credential with that token id. False when there was none.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_token(&self, tenant: &TenantId, token_id: &TokenId) -> Result<bool, Error> {
        let call = self.credentials_call(&REMOVE).arg("").arg(tenant.as_str()).arg(token_id.as_str());
        call.arg("").show(0).show(KEPT_MS).run(&self.0.connection).await
    }

    /// Writes down that a credential was used now, unless that was done within the hour.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn touch_credential(&self, hash: &TokenHash) -> Result<(), Error> {
        self.credentials_call(&TOUCH).show(hash.hex()).show(TOUCH_EVERY_MS).run(&self.0.connection).await
    }

    /// What was last written with [`Store::mark_credentials`]. None, or another, when the store has lost what it held.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn credentials_mark(&self) -> Result<Option<String>, Error> {
        self.0.connection.query(redis::cmd("GET").arg(self.0.keys.credentials_mark())).await
    }

    /// Says that all credentials are in place, in words of the caller's own.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn mark_credentials(&self, mark: &str) -> Result<(), Error> {
        self.0.connection.query(redis::cmd("SET").arg(self.0.keys.credentials_mark()).arg(mark)).await
    }

    fn credentials_call<'a>(&self, script: &'a LazyLock<Script>) -> Call<'a> {
        Call::new(script, self.0.keys.credentials())
    }
}

/// Reads a credential's HASH; none when there is none.
fn read(fields: &Fields) -> Result<Option<Credential>, Error> {
    let Some(json) = fields.get("data") else { return Ok(None) };
    let mut credential: Credential =
        serde_json::from_str(json).map_err(|error| Error::corrupt(format!("credential: {error}")))?;
    credential.last_used_at =
        fields.get("last_used").and_then(|ms| ms.parse().ok()).and_then(DateTime::from_timestamp_millis);
    Ok(Some(credential))
}
