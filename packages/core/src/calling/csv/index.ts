/**
 * Reads the files of rows that people upload: which column is which field, what is wrong with a row, and where rows wait until all of
 * them are written at once.
 *
 * Promises  CSVF-1 a file that is no CSV, or whose columns cannot be mapped, is refused as a whole; a row that is wrong spoils no other.
 *           CSVF-2 however large the file, other work continues while it is read, and no more of its rows than some parts are in memory.
 * Needs     nothing.                             Emits  nothing.
 * Not here  what the fields of a row mean, and what a file makes of the account's records (calling/contacts, calling/suppression).
 * Read      CsvReader.ts, ImportMapping.ts, then RowGathering.ts and StageFile.ts. Source: docs/reference/contacts.md#csv.
 */
export type { CsvRecord } from "./CsvReader.ts"
export { firstOf, type GivenPhone, maxPhoneLength, phoneOf, putCells, upTo } from "./FileRow.ts"
export { FileFields, type KeyedName, type Mapping, maxKeyLength, type Target } from "./ImportMapping.ts"
export { type ImportPlace, ImportPlaces, type ImportRun } from "./ImportPlaces.ts"
export { type FileReading, RowGathering } from "./RowGathering.ts"
export { stageFile } from "./StageFile.ts"
