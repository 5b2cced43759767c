import { Problem } from '@assay/kit'
import { barePoint, bareScalar } from '@assay/lib/key/bare'
import type { SigningCurve } from '@assay/lib/key/ec'
import type { EcPrivateKey, EcPublicKey, KeyMaterial } from '@assay/lib/key/key'
import { explained } from './explained.ts'

/** EC keys as people paste them: every form of lib/key, or the bare number or point on a curve that is chosen beside it. */

export type SigningKey = EcPublicKey & { curve: SigningCurve }

interface Options {
  curve: SigningCurve
  passphrase?: string | undefined
}

export async function ecPublicKey(text: string, { curve }: Options): Promise<{ key: SigningKey; note?: string }> {
  const [{ uncompressedPoint }, { readPublicKey }] = await Promise.all([
    import('@assay/lib/key/ec'),
    import('@assay/lib/key/read'),
  ])
  return explained('publicKey', 'Public key', async () => {
    const point = barePoint(text, curve)
    if (point) return { key: { type: 'EC', curve, point: await uncompressedPoint(curve, point) } }
    const { key, note } = await readPublicKey(text)
    const own = await signingKey(key, 'publicKey')
    return { key: own, ...noted(note, own.curve, curve) }
  })
}

export async function ecPrivateKey(
  text: string,
  { curve, passphrase }: Options,
): Promise<{ key: EcPrivateKey; publicKey: SigningKey; note?: string }> {
  const [{ ecPublicKeyOf }, { readPrivateKey }] = await Promise.all([
    import('@assay/lib/key/ec'),
    import('@assay/lib/key/read'),
  ])
  return explained('privateKey', 'Private key', async () => {
    const d = bareScalar(text, curve)
    if (d) {
      const key: EcPrivateKey = { type: 'EC', curve, d }
      return { key, publicKey: { ...(await ecPublicKeyOf(key)), curve } }
    }
    const { key } = await readPrivateKey(text, { passphrase })
    const publicKey = await signingKey(key.publicKey ?? key, 'privateKey')
    if (key.type !== 'EC') throw notEc('privateKey', key.type)
    return { key, publicKey, ...noted(undefined, publicKey.curve, curve) }
  })
}

async function signingKey(key: KeyMaterial['key'], field: string): Promise<SigningKey> {
  const { isSigningCurve, signingCurves } = await import('@assay/lib/key/ec')
  if (key.type !== 'EC') throw notEc(field, key.type)
  const { curve } = key
  if (!isSigningCurve(curve) || !('point' in key)) {
    throw new Problem(
      'unsupported',
      `The key is on the curve ${curve}, and the curves at hand are ${signingCurves.join(', ')}.`,
      {
        field,
      },
    )
  }
  return { ...key, curve }
}

const notEc = (field: string, type: string) =>
  new Problem('invalid-input', `This is a key of the kind ${type}, and ECDSA takes a key on one of its curves.`, {
    field,
  })

/** A curve that was chosen, or left as it stands, yields to the one of the key. */
function noted(note: string | undefined, own: SigningCurve, chosen: SigningCurve): { note?: string } {
  const words = [note, own === chosen ? undefined : `The key is on ${own}, so that curve was used.`]
    .filter(Boolean)
    .join(' ')
  return words ? { note: words } : {}
}
