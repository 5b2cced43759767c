import type { Session } from '../../account/session.ts'
import type { Tokens } from '../../account/tokens.ts'
import { DeleteSection } from './delete.tsx'
import { ExportSection } from './export.tsx'
import { KeysSection } from './keys.tsx'
import { SessionsSection } from './sessions.tsx'
import { UsageSection } from './usage.tsx'

interface Props {
  session: Session
  tokens: Tokens
  profile: unknown
}

/** The parts of the account, each of which loads, fails and is tried again by itself. */
export function Sections({ session, tokens, profile }: Props) {
  return (
    <>
      <UsageSection session={session} />
      <KeysSection session={session} />
      <SessionsSection session={session} />
      <ExportSection session={session} />
      <DeleteSection session={session} tokens={tokens} profile={profile} />
    </>
  )
}
