export {
  bitcoinToPoxAddress,
  bitcoinToStacksAddress,
  poxToBitcoinAddress,
  stacksToBitcoinAddress,
} from './address/bitcoin-address.ts';
export { AddressVersion, decodeAddress, encodeAddress, isAddress } from './address/c32.ts';
export {
  type AssetId,
  formatAssetId,
  formatPrincipal,
  type Principal,
  parseAssetId,
  parsePrincipal,
} from './address/principal.ts';
export { type BlockHeader, blockHash, blockId, decodeBlockHeader, encodeBlockHeader } from './block/block-header.ts';
export {
  decodeNakamotoBlock,
  decodeNakamotoHeader,
  encodeNakamotoBlock,
  type NakamotoBlock,
  type NakamotoHeader,
  nakamotoBlockHash,
  nakamotoBlockId,
} from './block/nakamoto-block.ts';
export { type AbiFunction, type AbiType, abiTypeText, functionSignature } from './clarity/abi.ts';
export {
  bool,
  buffer,
  err,
  int,
  list,
  none,
  ok,
  principal,
  some,
  stringAscii,
  stringUtf8,
  tuple,
  uint,
} from './clarity/build.ts';
export { encodeClarity } from './clarity/encode.ts';
export { clarityFromJson } from './clarity/from-json.ts';
export { type ClarityJson, clarityJson } from './clarity/json.ts';
export { ClaritySyntaxError, parseClarity } from './clarity/parse.ts';
export { reprClarity } from './clarity/repr.ts';
export { typeOfClarity } from './clarity/type.ts';
export { type ClarityPrincipal, type ClarityValue, decodeClarity, type TupleEntry } from './clarity/value.ts';
export { CodecError, UnknownCodeError } from './error.ts';
export { bareHex, fromHex, toHex } from './hex.ts';
export { addressOf, type PrivateKey, parsePrivateKey, publicKeyOf } from './keys.ts';
export { type Network, networkOf } from './network.ts';
export {
  type InclusionProof,
  type ProofVerdict,
  readSignerSet,
  verifyInclusion,
} from './proof/inclusion-proof.ts';
export { type AskNode, askSigners, UnknownSignersError } from './proof/node-signers.ts';
export type { SignedWeight, WeightedSigner } from './proof/signed-weight.ts';
export { buildTransaction, callPayload, deployPayload, transferPayload } from './transaction/build.ts';
export type { Payload } from './transaction/payload.ts';
export type { PostCondition } from './transaction/post-condition.ts';
export { signMultiSig, signOrigin, signSponsor } from './transaction/signing.ts';
export {
  decodeAccepted,
  decodeTransaction,
  encodeTransaction,
  senderAddress,
  sponsorAddress,
  type Transaction,
  transactionId,
} from './transaction/transaction.ts';
export { verifyTransaction } from './transaction/verification.ts';
