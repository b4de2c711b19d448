/** What the page of one call reads. */
import { useQuery } from "@tanstack/react-query"
import type { CallDetails } from "@trunkline/client"
import { useState } from "react"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"

const isAnalysed = ({ analysis }: CallDetails): boolean => analysis === null || analysis.status !== "pending"

export const useCallDetails = (id: string) => {
  const [isWaiting, setWaiting] = useState(false)
  const query = useQuery({
    queryKey: ["call", id],
    queryFn: ({ signal }) => api.calls.get(id, { signal }),
    // An analysis is noted with all calls: only while one is awaited are they listened to.
    meta: { topics: isWaiting ? [`call:${id}`, "calls"] : [`call:${id}`], urgent: true }
  })
  const waits = query.data !== undefined && !isAnalysed(query.data)
  if (waits !== isWaiting) setWaiting(waits)
  return query
}

export const useTranscript = (id: string) =>
  useQuery({
    queryKey: ["call", id, "transcript"],
    queryFn: ({ signal }) => api.calls.transcript(id, {}, { signal }),
    meta: { topics: [`call:${id}`] }
  })

/** The name of who was called, as the address book has it. */
export const useCalledPerson = (phone: string | undefined) =>
  useQuery({
    queryKey: ["contacts", "of", phone],
    queryFn: async ({ signal }) => (await api.contacts.list({ phone, limit: 1 }, { signal })).items[0] ?? null,
    enabled: useMay("contacts:read") && phone !== undefined,
    meta: { topics: ["contacts"] }
  })

export const recordingPath = (id: string): string => `api/v1/telephony/calls/${id}/recording`

/** The sound as an address of this page alone: a player sends no token. It is gone with the page. */
export const useRecording = (id: string, isThere: boolean) =>
  useQuery({
    queryKey: ["call", id, "recording"],
    queryFn: async ({ signal }) => {
      const answer = await api.calls.recording(id, { signal })
      return new Blob([await answer.arrayBuffer()], { type: "audio/wav" })
    },
    enabled: isThere,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0
  })
