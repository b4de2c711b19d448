/** The encryption of stored secrets, as an operator renews it. */
import type { Resealed } from "../../access/index.ts"
import type { Method } from "../Facade.ts"
import { reencryptSecrets } from "../Reencryption.ts"

/** Encryption of stored secrets. Source: docs/operations.md#keys. */
export interface EncryptionFacade {
  /**
   * Seals the secrets of webhooks and the tokens of connected numbers, of all accounts, with the present `encryptionKey`; tells
   * how many were sealed anew, and how many no key opens. May be called while the product runs, in any number of processes.
   * Source: docs/operations.md#keys.
   */
  readonly resealSecrets: () => Promise<Resealed>
}

export const encryptionFacade = (method: Method): EncryptionFacade => ({
  resealSecrets: method([], () => reencryptSecrets("all"))
})
