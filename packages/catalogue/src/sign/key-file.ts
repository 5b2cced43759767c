import { type Panel, panel } from '@assay/kit'
import { fromUtf8, toBase64 } from '@assay/lib/bytes'

const mediaTypes: Readonly<Record<string, string>> = {
  pem: 'application/x-pem-file',
  der: 'application/octet-stream',
  json: 'application/jwk+json',
}

/** A key to copy and to save; one in DER is shown in Base64 and saved as it is. */
export function keyPanels(title: string, text: string, name: string): Panel[] {
  const extension = /\.(\w+)$/.exec(name)?.[1] ?? ''
  const der = extension === 'der'
  return [
    panel.code(text, { title: der ? `${title} (DER in Base64)` : title }),
    panel.file({
      name,
      mediaType: mediaTypes[extension] ?? 'text/plain',
      base64: der ? text : toBase64(fromUtf8(`${text.trimEnd()}\n`)),
    }),
  ]
}
