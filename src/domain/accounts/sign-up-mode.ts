/** Rules for who may create an account: everyone, invited people, or no one. */
export const SIGN_UP_MODES = ['open', 'invitation', 'closed'] as const
/** Rule for who may create an account. */
export type SignUpMode = (typeof SIGN_UP_MODES)[number]

/** Returns true if people may create an account by themselves. */
export const isSignUpOpen = (mode: SignUpMode): boolean => mode === 'open'

/** Returns true if an administrator may invite people who have no account. */
export const canInvite = (mode: SignUpMode): boolean => mode !== 'closed'
