/** A storage whose members have passwords that cost a hundredth of what they cost elsewhere: suites sign in hundreds of times. */
import type { StorageProvider } from "@trunkline/core"
import { storageProvider } from "@trunkline/core/storage"
import { layerOf, PasswordCost } from "@trunkline/core/testing"
import * as Layer from "effect/Layer"

export const quickPasswordCost = Layer.succeed(PasswordCost, { N: 2 ** 10, r: 8, p: 1 })

export const quickPasswords = (storage: StorageProvider): StorageProvider =>
  storageProvider(Layer.merge(layerOf(storage), quickPasswordCost))
