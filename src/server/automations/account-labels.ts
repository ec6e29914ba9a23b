import type { ProviderName } from '#domain/common/vocabulary.ts'
import { type LabelKind, missingFeatureSentence } from '#domain/deliveries/enrolment-kinds.ts'
import { conflict } from '#server/http/edge/errors.ts'
import {
  type AccountReaderDependencies,
  createAccountReader,
} from '#server/integrations/account-reader.ts'
import type { AccountLabels } from '#server/integrations/providers/provider.ts'

/**
 * Creates the function that returns the labels of a kind in a creator's account, cached for a minute. It throws the errors
 * of `createAccountReader`, and a 409 for a kind that the tool's plan lacks.
 */
export const createAccountLabels = (deps: AccountReaderDependencies) => {
  const readLabels = createAccountReader(
    deps,
    (open, tool, kind: LabelKind | null) => tool.listLabels(open, kind),
    (kind) =>
      kind === null ? undefined : conflict('missing_feature', missingFeatureSentence(kind)),
  )
  return async ({
    kind = null,
    ...owned
  }: {
    user_id: string
    provider: ProviderName
    /** Null means tags or lists. */
    kind?: LabelKind | null | undefined
  }): Promise<AccountLabels['labels']> => (await readLabels(owned, kind)).labels
}
