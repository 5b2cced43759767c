/** The encoders of bwip-js that are on offer; whoever loads this file gets these and none of the hundred others. */
export {
  azteccode,
  code39,
  code128,
  datamatrix,
  drawingSVG,
  ean8,
  ean13,
  gs1_128,
  itf14,
  maxicode,
  pdf417,
  upca,
} from 'bwip-js/generic'
