/**
 * Choice of the address that gets the replies to mails: 'account' (address of the account), 'none', or the id of another
 * confirmed address. Null leaves a quiz with the choice of the account.
 */
type ReplyChoice = string

/** Maximum number of other addresses of an account. */
export const MAX_REPLY_ADDRESSES = 5

/** Address that a creator confirmed with a code. */
export type ReplyAddress = { id: string; email: string }

/** Choices and addresses that decide where replies go. */
export type ReplySettings = {
  quiz_choice: ReplyChoice | null
  account_choice: ReplyChoice
  /** Proven address of the account; null without one. */
  account_email: string | null
  addresses: readonly ReplyAddress[]
}

/**
 * Returns the address for replies; null if replies are not read. A removed address is replaced by the next
 * choice: that of the account, then the address of the account.
 */
export const findReplyTo = ({
  quiz_choice,
  account_choice,
  account_email,
  addresses,
}: ReplySettings): string | null => {
  for (const choice of [quiz_choice, account_choice]) {
    if (choice === 'none') return null
    if (choice === 'account') return account_email
    const chosen = addresses.find(({ id }) => id === choice)
    if (chosen) return chosen.email
  }
  return account_email
}
