import { statements } from "@trunkline/storage-kysely"

/** All statements of the stores. Other files of a worker's tests declare statements too, whose names begin with "test.". */
export const storeStatements = () => statements().filter(({ name }) => !name.startsWith("test."))
