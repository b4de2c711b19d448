/**
 * Decides who is asking and what they may do.
 *
 * Promises  ACCS-1 a key is kept as its digest only, found by one indexed read and never shown again.
 *           ACCS-2 no scope implies another; `*` of a key grants all that keys can have.
 *           ACCS-3 checks run in one order: who, account, feature, scope or role, and only then the request itself.
 *           ACCS-4 everything an operator changes is in the audit log, written with the change.
 *           ACCS-5 a host's principal has a role or scopes, is decoded in one place, and is never guessed at.
 *           ACCS-6 what a cookie has signed in changes nothing at the wish of another origin's page.
 *           ACCS-7 a key's last use is known to a minute, and no request waits until it is written.
 * Needs     AccessStore, AuditStore, KeyUseStore, Credits.    Emits  api_key.expired.
 * Not here  plans' limits and rates (platform/billing); making and changing keys (platform/keys).
 * Read      Principal.ts, then Authentication.ts, then Accounts.ts. Source: docs/reference/access.md.
 */

export { AccountNotFound, accessErrors, CrossOrigin, FeatureDisabled } from "./AccessErrors.ts"
export { AccessSettings } from "./AccessSettings.ts"
export { AccessStore } from "./AccessStore.ts"
export {
  type Account,
  type AccountOverview,
  AccountStatus,
  accountOf,
  type Feature,
  inactiveDetail,
  isActive,
  type NewAccount,
  PaymentMethod,
  Plan
} from "./Account.ts"
export {
  type AccountChange,
  Accounts,
  startingCredits,
  wholeAudit
} from "./Accounts.ts"
export { type Actor, actorOf, chatPlatform, type Doer, DoerBody, doerOf, operator, subjectOf } from "./Actor.ts"
export type { NewKey } from "./ApiKey.ts"
export * as ApiKeys from "./ApiKey.ts"
export { askingAccounts } from "./AskingAccounts.ts"
export { type AuditAction, auditActions } from "./AuditAction.ts"
export { type AuditFilter, type AuditRecord, AuditStore } from "./AuditStore.ts"
export {
  type AcceptedCredentials,
  type AuthenticatedRequest,
  Authentication,
  type AuthenticationSettings,
  type KeyMemory,
  NotAllowed,
  type NotIdentified,
  Unauthenticated
} from "./Authentication.ts"
export {
  decode as decodeHostPrincipal,
  type HandedPrincipal,
  type HostAnswer,
  type HostAuthenticate,
  type HostPerson,
  type HostPrincipal,
  HostPrincipalRefused,
  type HostRequest,
  handedPrincipals
} from "./HostPrincipal.ts"
export { type KeyExpiry, makeKeyExpiry } from "./KeyExpiry.ts"
export { keySetFetch } from "./KeySetFetch.ts"
export { type KeyUse, KeyUseStore } from "./KeyUseStore.ts"
export { KeyUses } from "./KeyUses.ts"
export { KnownModels } from "./KnownModels.ts"
export { isFromOwnOrigin, originOf } from "./OriginCheck.ts"
export {
  type Caller,
  CurrentPrincipal,
  manages,
  may,
  missing,
  type Principal,
  type SignIn,
  scopesOf
} from "./Principal.ts"
export { type AddressedRequest, hostOf, isSecure, mountPointOf } from "./RequestAddress.ts"
export { type Role, type RoleWords, roles, roleWord } from "./Role.ts"
export * as Scopes from "./Scope.ts"
export { type EncryptedRows, reencryptAll } from "./SecretReencryption.ts"
export { SignedInSessions } from "./SignedInSessions.ts"
export { paymentNotice, type SpendingRefusal, spenderOf, spendingRefusal } from "./SpendingRule.ts"
export * as Tokens from "./Tokens.ts"
export { DecryptionFailed, Vault } from "./Vault.ts"
