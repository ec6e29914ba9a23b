import { queryOptions } from '@tanstack/react-query'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { sentFieldsKey } from '#web/integrations/integration-queries.ts'
import { lazyClient } from '#web/lazy-endpoints/lazy-client.ts'

const FIELD_CALLS = {
  convertkit: lazyClient.fieldMappings.kitFields,
  systemio: lazyClient.fieldMappings.systemioFields,
  brevo: lazyClient.fieldMappings.brevoFields,
}

/** Returns the query of the mappings of a quiz, and of a sample contact for each tool. */
export const mappingsQuery = (id: string) =>
  queryOptions({
    queryKey: sentFieldsKey(id),
    queryFn: () => lazyClient.fieldMappings.list({ id }),
    staleTime: 0,
  })

/** Returns the query of the fields of the creator's account at a tool. */
export const accountFieldsQuery = (provider: ProviderName) =>
  queryOptions({
    queryKey: ['integrations', provider, 'fields'],
    queryFn: () => FIELD_CALLS[provider](),
    staleTime: 60_000,
    retry: false,
  })
