/** Tables of `platform/people`: members, their links and sessions, and sign-ins that have failed. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, nullable, text } from "../Columns.ts"
import { moment, notCopied, rowsById, table, tenantId } from "../Table.ts"

export const peopleTables = {
  members: table(columnsOf(Core.memberEntity), rowsById()),
  memberLinks: table(
    {
      id: text<Core.Ids.LinkId>(),
      tenantId,
      memberId: nullable(text<Core.Ids.MemberId>()),
      purpose: text<Core.LinkPurpose>(),
      digest: text(),
      expiresAt: moment,
      createdAt: moment
    },
    notCopied("they lead to the installation that has made them")
  ),
  signInSessions: table(
    columnsOf(Core.signInSessionEntity),
    notCopied("browsers have their cookies from the installation that has made them")
  ),
  signInFailures: table(
    { key: text(), id: text(), at: moment },
    notCopied("they are about emails and addresses of the installation, and are forgotten soon")
  )
}
