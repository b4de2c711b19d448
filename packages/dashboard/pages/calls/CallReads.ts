/** What the page of one call reads. */
import { useQuery } from "@tanstack/react-query"
import { api } from "../frame/ServerRequests.ts"
import { useMay } from "../frame/SignedInPerson.ts"

export const useCallDetails = (id: string) =>
  useQuery({
    queryKey: ["call", id],
    queryFn: ({ signal }) => api.calls.get(id, { signal }),
    meta: { topics: [`call:${id}`], urgent: true }
  })

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
