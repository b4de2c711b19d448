/**
 * Statements that name no account, by the reason why. A distributed engine asks every node for the rows of these; all others it
 * sends to the node of their account.
 */
interface Reason {
  readonly because: string
  readonly names: string
}

/** Lists of the contacts of a template campaign, and counts of them, by every set of filters. */
const templateContactLists = ["list", "list.replied", "list.unreplied", "count", "count.replied"]
  .flatMap((name) => [name, `${name}.status`])
  .flatMap((name) => [name, `${name}.reason`])
  .flatMap((name) => [name, `${name}.phone`])
  .map((name) => `templateContacts.${name}`)
  .join(" ")

const reasons: ReadonlyArray<Reason> = [
  {
    because: "finds, claims or ends what is due, of all accounts together: who has to do something is what it asks",
    names: `access.claimExpiries access.expired access.keysOf alerts.lockDue alerts.nextDue analyses.claimDue analyses.nextDue
      batchQueue.nextDue batches.swept calls.claim calls.due calls.markForReconciliation calls.nextCheck
      campaigns.due campaigns.findInAnyAccount campaigns.nextDue deliveries.claim deliveries.claimable deliveries.due deliveries.end
      deliveries.nextDue files.due knownTemplates.claimReads knownTemplates.nextRead liveSessions.lockLapsed liveSessions.nextLapse liveSessions.renew numberFacts.claimDue numberFacts.nextDue outbox.after payments.claimDue payments.nextDue
      replyJobs.claimDue replyJobs.nextDue templateCampaigns.due templateCampaigns.findInAnyAccount templateCampaigns.nextDue
      templateContacts.nextOverdue templateCampaigns.running ledger.acquiredByEnded ledger.expiredPlaces ledger.expiredReservations
      ledger.heldByEnded voice.lockDue voice.lockRecorded voice.nextDue`
  },
  {
    because:
      "finds the account itself: by the digest of a key or token, a carrier's record, a platform's id of a number or person",
    names: `access.findKey keys.find calls.ownerOf calls.unnamed callTokens.set callTokens.use connected.byPlatform
      connected.latest flowEndpoints.byId customers.byPhone customers.byRef customers.formsAmong customers.renameForm liveSessions.byToken
      messages.byMsgid messages.known numberFacts.ofBusinessAccount memberLinks.byDigest members.byEmail signInSessions.byDigest unmatchedStatuses.among unmatchedStatuses.claim`
  },
  {
    because:
      "maintains or counts the rows of all accounts: removes what is over, encrypts again, lists for the operator",
    names: `access.listAccounts memberLinks.sweep members.anyActive members.firstAccount
      signInSessions.sweep changes.sweepWatches botSecrets.page botSecrets.replace campaigns.sweepContacts campaigns.sweepMarkers
      connected.replaceToken connected.tokens deliveries.sweep flowEndpoints.replaceSecret flowEndpoints.secrets
      flowKeys.privateKeys flowKeys.replaceKey idempotency.sweep messages.expireStaleSends
      metrics.calls moves.list metrics.deliveries metrics.held metrics.inference metrics.replies metrics.templateCampaigns
      responses.sweep templateCampaigns.sweepChanges templateCampaigns.sweepContacts templateCampaigns.sweepMarkers
      templateRecipients.sweep retention.calls retention.deliveries retention.events retention.messages retention.usage
      unmatchedStatuses.sweep webhooks.replaceSecret webhooks.secrets webhooks.sweepMarkers`
  },
  {
    because: "compares the rows of one import, which has its account, with each other or with the list of its campaign",
    names: `imports.mark.equal imports.mark.equal.template imports.mark.longerOnCampaign imports.mark.longerOnCampaign.template
      imports.mark.shorterOnCampaign imports.mark.shorterOnCampaign.template imports.shortOnCampaign imports.shortOnCampaign.template
      imports.stage imports.stageEntries`
  },
  {
    because:
      "asks by a campaign's id, along an index that has it first: with the account in the condition a database takes the two for independent, and sorts, or walks a longer index",
    names: `calls.answerCounts calls.legsOf calls.openIdsOfCampaign calls.openOfCampaign calls.startedSince contacts.awaitingFresh
      contacts.awaitingRetry contacts.byLastError contacts.byStatus contacts.count contacts.count.lastError
      contacts.count.lastError.search contacts.count.search contacts.count.status contacts.count.status.lastError
      contacts.count.status.lastError.search contacts.count.status.search contacts.countApproved contacts.countFailed contacts.countLater contacts.due
      contacts.dueApproved contacts.find contacts.list contacts.list.lastError contacts.list.lastError.search contacts.list.search
      contacts.list.status contacts.list.status.lastError contacts.list.status.lastError.search contacts.list.status.search
      holds.fresh holds.ofCampaign holds.retries holds.skipped
      contacts.nextApprovedRetry contacts.nextRetry
      contactChanges.ofCampaigns contactChanges.take templateContacts.due templateContacts.failures templateContacts.find
      templateContacts.lastOutcomes templateContacts.near templateContacts.nextRetry templateContacts.ofUser templateContacts.sentSince
      ${templateContactLists}`
  },
  {
    because: "counts the people of a business account, which several accounts may share",
    names: "templateRecipients.among templateRecipients.oldest templateRecipients.since"
  },
  {
    because: "the full-text index finds places by terms that end in the agent's id",
    names: "knowledge.candidates"
  },
  {
    because:
      "asks by the id of a row, or of the agent, batch, customer, file, key, number, session or webhook that the row belongs to: it is unique among all accounts, and its caller has it from a row of the account",
    names: `access.revokeKey alerts.remove analyses.ofSessions analyses.renew batches.count batches.lines batches.pending
      batches.removeLines batches.settleLine blockedPeople.among blockedPeople.remove botSecrets.find botSecrets.put botSecrets.remove budgets.forgetReports budgets.mark.alerted
      budgets.mark.exceeded budgets.reserve budgets.settle budgets.spending budgets.spendingOf calls.findInAnyAccount campaigns.removeContacts campaigns.removeHolds
      changes.remove connected.byId connected.change contacts.many conversations.absorb conversations.byId conversations.countMessages conversations.messages conversations.messagesBefore conversations.unanswered
      credits.findReservation credits.removeReservation customers.byId customers.move.chatMessages customers.move.conversations
      customers.remove customers.saveActivity customers.saveIdentity files.chunk files.remove files.removeChunks
      knowledge.count knowledge.countTerms knowledge.entries knowledge.forgetTerms knowledge.list knowledge.neighbours
      knowledge.passages knowledge.remove knowledge.removeAll knowledge.removeAllPassages knowledge.removeAllTerms
      knowledge.removePassages knowledge.terms knowledge.uncountTerms ledger.billed ledger.oldest ledger.spending ledger.windows limits.requestAt limits.trimRequests limits.window
      memberLinks.take members.seen signInSessions.ofMember signInSessions.remove signInSessions.removeAll signInSessions.use
      liveSessions.addTurns liveSessions.byIds liveSessions.lock liveSessions.lockOfCall messages.byId messages.change messages.history
      messages.inboundAfter messages.lastBefore messages.markHandled messages.markSent messages.openParts messages.save messages.turnsSince
      replyJobs.find replyJobs.release replyJobs.remove replyJobs.renew replyJobs.save
      senderPaces.find templateCampaigns.removeChanges templateCampaigns.removeContacts templateCampaigns.using
      templateCampaigns.usingLanguage templateContacts.begin templateContacts.byId templateContacts.lastWrittenTo
      transcripts.lastSaid transcripts.list transcripts.nextIndex webhooks.changeHealth webhooks.remove`
  }
]

export const withoutAccountInCondition: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(({ because, names }) => names.split(/\s+/).map((name) => [name, because] as const))
)
