//! Credentials: what the API knows of a token, by its hash.
//!
//! They lie in one slot of their own, away from tenants' data, because a request is looked up by hash before its
//! tenant is known.

use crate::{
    Error, Store,
    reply::Fields,
    script::{Call, LuaScript},
};
use chrono::{DateTime, Utc};
use gleaner_model::{Page, Scope, ScopeSet, Subject, TenantId, TokenHash, TokenId};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

static PUT: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::on_credentials(include_str!("scripts/put_credential.lua")));
static REMOVE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::on_credentials(include_str!("scripts/remove_credential.lua")));
static LIST: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::on_credentials(include_str!("scripts/list_credentials.lua")));
static MADE_BY: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::on_credentials(include_str!("scripts/made_by.lua")));
static TOUCH: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::on_credentials(include_str!("scripts/touch_credential.lua")));

/// A use is written down at most once in this time.
const TOUCH_EVERY_MS: u32 = 3_600_000;
/// How many are read at once where all are wanted.
const PAGE: usize = 500;
/// How long an expired credential can still be listed, and a resource's version is remembered.
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
    /// When it ends; `None`: never.
    #[serde(default)]
    pub expires_at: Option<DateTime<Utc>>,
    /// Whether it is refused for the time being; as it is read, also because what made it is.
    #[serde(default)]
    pub suspended: bool,
    /// When it was last used, to the hour. The store keeps it; writing a credential does not change it.
    #[serde(skip)]
    pub last_used_at: Option<DateTime<Utc>>,
    /// What made it over HTTP: the uid of a resource, or the id of a token that belongs to none. It goes with its maker.
    #[serde(default)]
    pub made_by: Option<String>,
    /// Who wrote it.
    pub origin: Origin,
}

impl Credential {
    /// What [`Credential::made_by`] of the tokens made with this one holds: the uid of its resource, or its own id.
    #[must_use]
    pub fn maker(&self) -> &str {
        match &self.origin {
            Origin::Store => self.token_id.as_str(),
            Origin::Resource { uid, .. } => uid,
        }
    }

    /// Whether it was issued for the same resource as another that is newer: rotated out, it works for a while still.
    #[must_use]
    pub fn is_before(&self, other: &Self) -> bool {
        matches!(&other.origin, Origin::Resource { uid, .. } if uid == self.maker())
            && self.created_at < other.created_at
    }

    /// Whether it counts against what a tenant may make: an address that only reads a calendar has a limit of its own.
    fn counts(&self) -> bool {
        self.scopes != ScopeSet::from_iter([Scope::FeedRead])
    }

    /// What it is listed by among the tenant's: keys sort in the order in which tokens were made.
    fn list_key(&self) -> String {
        format!("{:015}:{}", self.created_at.timestamp_millis().max(0), self.token_id)
    }
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
        /// Which version of it the credential follows from: it grows with every change of the resource.
        // As processes of the release before read it.
        #[serde(rename = "generation")]
        resource_version: i64,
    },
}

impl Origin {
    /// The resource's uid and version; `""` and 0 where there is no resource.
    fn revision(&self) -> (&str, i64) {
        match self {
            Self::Store => ("", 0),
            Self::Resource { uid, resource_version, .. } => (uid, *resource_version),
        }
    }
}

/// What became of a credential that was to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteOutcome {
    /// It is there now, and every API process has been told.
    Written,
    /// It was there, just so.
    Unchanged,
    /// A newer version of the same resource has written since: nothing changed.
    Stale,
    /// The hash, or the token id, belongs to another token: nothing changed.
    Taken,
    /// The token that makes it is gone: nothing changed.
    Orphaned,
    /// The tenant has made as many as it may: nothing changed.
    Full,
}

impl Store {
    /// Writes a credential. Never undoes what a newer version of the same resource wrote, never takes over what
    /// another resource or tenant wrote; keeps `last_used_at`.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn put_credential(&self, credential: &Credential) -> Result<WriteOutcome, Error> {
        self.put(credential, "", 0).await
    }

    /// Writes a credential that the token of the hash `by` makes, if that is still there and the tenant has made fewer than
    /// `most` that work (0: any number).
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn make_credential(
        &self,
        credential: &Credential,
        by: &TokenHash,
        most: u32,
    ) -> Result<WriteOutcome, Error> {
        self.put(credential, &by.hex(), most).await
    }

    async fn put(&self, credential: &Credential, needed: &str, most: u32) -> Result<WriteOutcome, Error> {
        let json = serde_json::to_string(credential).map_err(Error::corrupt)?;
        let (uid, version) = credential.origin.revision();
        let call = self
            .credentials_call(&PUT)
            .named("hash", credential.hash.hex())
            .named("tenant", &credential.tenant)
            .named("token_id", &credential.token_id)
            .named("data", json)
            .named("uid", uid)
            .named("version", version)
            .named("kept", KEPT_MS)
            .named("ends", credential.expires_at.map_or(String::new(), |time| time.timestamp_millis().to_string()))
            .named("listed", credential.list_key())
            .named("made_by", credential.made_by.as_deref().unwrap_or_default())
            .named("needed", needed)
            .named("most", most)
            .named("counts", u8::from(credential.counts()));
        match call.run::<String>(&self.0.connection).await?.as_str() {
            "written" => Ok(WriteOutcome::Written),
            "unchanged" => Ok(WriteOutcome::Unchanged),
            "stale" => Ok(WriteOutcome::Stale),
            "orphaned" => Ok(WriteOutcome::Orphaned),
            "full" => Ok(WriteOutcome::Full),
            _ => Ok(WriteOutcome::Taken),
        }
    }

    /// How many tokens the tenant has made over HTTP that have not ended.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn made_tokens(&self, tenant: &TenantId) -> Result<u32, Error> {
        let key = format!("{}:made:{tenant}", self.0.keys.credentials());
        let now = Utc::now().timestamp_millis();
        self.0.connection.query(redis::cmd("ZCOUNT").arg(key).arg(now).arg("+inf")).await
    }

    /// The tenant's credential with that token id.
    ///
    /// # Errors
    /// As [`Store::find_credential`].
    pub async fn find_token(&self, tenant: &TenantId, token_id: &TokenId) -> Result<Option<Credential>, Error> {
        let key = format!("{}:tokens:{tenant}", self.0.keys.credentials());
        let hash: Option<String> = self.0.connection.query(redis::cmd("HGET").arg(key).arg(token_id.as_str())).await?;
        match hash {
            Some(hash) => self.find_credential(&format!("sha256:{hash}").parse().map_err(Error::corrupt)?).await,
            None => Ok(None),
        }
    }

    /// What the maker made (see [`Credential::maker`]), and what those made in turn.
    ///
    /// # Errors
    /// As [`Store::find_credential`].
    pub async fn made_by(&self, tenant: &TenantId, maker: &str) -> Result<Vec<Credential>, Error> {
        self.family(tenant, maker, 0).await
    }

    /// Removes what the maker made, and what those made in turn.
    ///
    /// # Errors
    /// As [`Store::find_credential`].
    pub async fn remove_made_by(&self, tenant: &TenantId, maker: &str) -> Result<Vec<Credential>, Error> {
        self.family(tenant, maker, 1).await
    }

    async fn family(&self, tenant: &TenantId, maker: &str, remove: u8) -> Result<Vec<Credential>, Error> {
        let call = self.credentials_call(&MADE_BY).arg(tenant.as_str()).arg(maker).show(remove);
        let records: Vec<Fields> = call.run(&self.0.connection).await?;
        records.iter().filter_map(|fields| read(fields).transpose()).collect()
    }

    /// The credential of that hash.
    ///
    /// # Errors
    /// When the store cannot be asked, or the record cannot be read.
    pub async fn find_credential(&self, hash: &TokenHash) -> Result<Option<Credential>, Error> {
        let key = self.0.keys.credential(&hash.hex());
        read(&self.0.connection.query(redis::cmd("HGETALL").arg(key)).await?)
    }

    /// All of the tenant's credentials, oldest first.
    ///
    /// # Errors
    /// As [`Store::find_credential`].
    pub async fn list_credentials(&self, tenant: &TenantId) -> Result<Vec<Credential>, Error> {
        let (mut all, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.credentials_page(tenant, PAGE, cursor.as_deref()).await?;
            all.extend(page.items);
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(all),
            }
        }
    }

    /// A page of the tenant's credentials, oldest first.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] when `cursor` is not one of a page before; else as [`Store::find_credential`].
    pub async fn credentials_page(
        &self,
        tenant: &TenantId,
        limit: usize,
        cursor: Option<&str>,
    ) -> Result<Page<Credential>, Error> {
        let after = cursor.unwrap_or_default();
        let is_list_key = |text: &str| {
            text.split_once(':').is_some_and(|(time, id)| {
                time.bytes().all(|c| c.is_ascii_digit()) && TokenId::new(id.to_owned()).is_ok()
            })
        };
        if cursor.is_some() && !is_list_key(after) {
            return Err(Error::InvalidCursor);
        }
        let (last, items) = self.list(tenant.as_str(), after, limit).await?;
        Ok(Page { items, next_cursor: Some(last).filter(|last| !last.is_empty()) })
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

    /// Removes a credential, and what it made: every API process refuses it within two seconds. False when there was none.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_credential(&self, hash: &TokenHash) -> Result<bool, Error> {
        self.remove_if(hash, &Origin::Store).await
    }

    /// Removes a credential that this resource wrote, not what it made: the resource may have another. From then on no
    /// older version of the resource can write it again. False when there was none, when it belongs to another, or when a
    /// newer version has written since.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_credential_of(&self, hash: &TokenHash, resource: &Origin) -> Result<bool, Error> {
        self.remove_if(hash, resource).await
    }

    async fn remove_if(&self, hash: &TokenHash, origin: &Origin) -> Result<bool, Error> {
        let (uid, version) = origin.revision();
        let call = self.credentials_call(&REMOVE).named("hash", hash.hex()).named("uid", uid);
        call.named("version", version).named("kept", KEPT_MS).run(&self.0.connection).await
    }

    /// Removes the tenant's credential with that token id, and what it made. False when there was none.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_token(&self, tenant: &TenantId, token_id: &TokenId) -> Result<bool, Error> {
        let call = self.credentials_call(&REMOVE).named("hash", "").named("uid", "");
        call.named("tenant", tenant).named("token_id", token_id).run(&self.0.connection).await
    }

    /// Removes a credential that was rotated out, not what its resource made. False when there was none.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_rotated_out(&self, hash: &TokenHash) -> Result<bool, Error> {
        let call = self.credentials_call(&REMOVE).named("hash", hash.hex()).named("uid", "").named("alone", 1);
        call.run(&self.0.connection).await
    }

    /// Writes down that a credential was used now, unless that was done within the hour.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn touch_credential(&self, hash: &TokenHash) -> Result<(), Error> {
        self.credentials_call(&TOUCH).show(hash.hex()).show(TOUCH_EVERY_MS).run(&self.0.connection).await
    }

    /// What was last written with [`Store::mark_credentials`]. `None`, or another, when the store has lost what it held.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn credentials_mark(&self) -> Result<Option<String>, Error> {
        self.0.connection.query(redis::cmd("GET").arg(self.0.keys.credentials_mark())).await
    }

    /// Says that all credentials are compared from here on, in words of the caller's own.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn mark_credentials(&self, mark: &str) -> Result<(), Error> {
        self.0.connection.query(redis::cmd("SET").arg(self.0.keys.credentials_mark()).arg(mark)).await
    }

    fn credentials_call<'a>(&self, script: &'a LazyLock<LuaScript>) -> Call<'a> {
        Call::new(script, self.0.keys.credentials())
    }
}

/// Reads a credential's HASH; `None` when there is none.
fn read(fields: &Fields) -> Result<Option<Credential>, Error> {
    let Some(json) = fields.get("data") else { return Ok(None) };
    let mut credential: Credential =
        serde_json::from_str(json).map_err(|error| Error::corrupt(format!("credential: {error}")))?;
    credential.suspended |= fields.get("held").is_some_and(|held| held == "1");
    credential.last_used_at =
        fields.get("last_used").and_then(|ms| ms.parse().ok()).and_then(DateTime::from_timestamp_millis);
    Ok(Some(credential))
}
