/** The encryption of stored secrets, as an operator renews it. */
import type { Reencrypted } from "../../platform/room/index.ts"
import type { Method } from "../Facade.ts"
import type { Rooms } from "../Rooms.ts"
import { reencryptSecrets } from "../StoredSecrets.ts"

/** Encryption of stored secrets. Source: docs/reference/operations.md#keys. */
export interface EncryptionFacade {
  /**
   * Encrypts the secrets of webhooks and the tokens of connected numbers, of all accounts, with the present `encryptionKey`. Returns
   * how many were encrypted again, and how many no configured key decrypts. May be called while the product runs, in any number of
   * processes. Source: docs/reference/operations.md#keys.
   */
  readonly reencryptSecrets: () => Promise<Reencrypted>
}

export const encryptionFacade = (method: Method, rooms: Rooms): EncryptionFacade => ({
  reencryptSecrets: method([], () => reencryptSecrets(rooms, "all"))
})
