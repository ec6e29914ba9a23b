import type { PlantedFault } from './planted-fault.ts'

/** Faults of deliveries to tools, webhooks and mailboxes. */
export const DELIVERY_FAULTS: PlantedFault[] = [
  {
    name: 'an unknown answer of a tool is tried once more than allowed',
    file: 'src/server/deliveries/settlement.ts',
    from: 'attempts >= MAX_UNKNOWN_ERRORS',
    to: 'attempts > MAX_UNKNOWN_ERRORS',
  },
  {
    name: 'the second page of lists at Brevo begins at the second list',
    file: 'src/server/integrations/providers/brevo-api.ts',
    from: 'findGroups(kind, found.length)',
    to: 'findGroups(kind, page)',
  },
  {
    name: 'an erasure that Systeme.io refuses with 422 is tried again',
    file: 'src/server/integrations/providers/systemio-api.ts',
    from: 'status === 400 || status === 422 ?',
    to: 'status === 400 ?',
    test: 'src/server/integrations/providers/erasures.test.ts',
  },
  {
    name: 'the ids of tags stay after another account is connected',
    file: 'src/server/integrations/providers/label-ids.ts',
    from: '  { id, vendor_account_id }: OpenConnection,\n  { name, vendor_id, kind }: Label,\n): string => `${id} ${vendor_account_id} ${kind}',
    to: '  { id }: OpenConnection,\n  { name, vendor_id, kind }: Label,\n): string => `${id} ${kind}',
  },
  {
    name: 'a result mail counts again at each attempt',
    file: 'src/server/quiz-mails/send-mail.ts',
    from: 'smtpFailure(error), completed_calls: { ...completed_calls, is_counted: true }',
    to: 'smtpFailure(error), completed_calls',
    test: 'src/server/deliveries/mail-faults.test.ts',
  },
  {
    name: 'a daily mail counts participants who came after its end',
    file: 'src/server/quiz-mails/digests.store.ts',
    from: 'and created_at >= since and created_at < until',
    to: 'and created_at >= since',
  },
  {
    name: 'a probe that reaches an unsubscribed person leaves the tool blocked',
    file: 'src/server/deliveries/apply-outcome.ts',
    from: "['delivered', 'suppressed', 'erased']",
    to: "['delivered', 'erased']",
    test: 'src/server/deliveries/connections.test.ts',
  },
]
