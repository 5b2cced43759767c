import type { Panel } from '@assay/kit'

/** A picture that can be saved. An SVG is shown as an image, so nothing in it can run. */
export function ImagePanel({ panel }: { panel: Extract<Panel, { kind: 'image' }> }) {
  const { source, alt, name, width, height } = panel
  const address = source.startsWith('data:image/') ? source : `data:image/svg+xml,${encodeURIComponent(source)}`
  return (
    <figure className="panel image">
      <img src={address} alt={alt} width={width} height={height} />
      <figcaption>
        <a className="button ghost small" href={address} download={name}>
          Save {name}
        </a>
      </figcaption>
    </figure>
  )
}
