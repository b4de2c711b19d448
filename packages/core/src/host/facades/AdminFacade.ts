/** What an operator may do: accounts, keys, members, tokens, credits, encryption and the audit log. */
import type { Brand } from "../../platform/brand/index.ts"
import type { Method } from "../Facade.ts"
import type { Rooms } from "../Rooms.ts"
import { type AccountsFacade, accountsFacade } from "./AccountsFacade.ts"
import { type AuditFacade, auditFacade } from "./AuditFacade.ts"
import { type CreditsFacade, creditsFacade } from "./CreditsFacade.ts"
import { type EncryptionFacade, encryptionFacade } from "./EncryptionFacade.ts"
import { type KeysFacade, keysFacade } from "./KeysFacade.ts"
import { type MembersFacade, membersFacade } from "./MembersFacade.ts"
import { type TokensFacade, tokensFacade } from "./TokensFacade.ts"

/** Methods for the operator, who may act on every account. Source: docs/reference/access.md#admin. */
export interface AdminFacade
  extends AccountsFacade,
    KeysFacade,
    MembersFacade,
    TokensFacade,
    CreditsFacade,
    EncryptionFacade,
    AuditFacade {}

export const adminFacade = (method: Method, brand: Brand, rooms: Rooms): AdminFacade => ({
  ...accountsFacade(method),
  ...keysFacade(method, brand),
  ...membersFacade(method),
  ...tokensFacade(method),
  ...creditsFacade(method),
  ...encryptionFacade(method, rooms),
  ...auditFacade(method)
})
