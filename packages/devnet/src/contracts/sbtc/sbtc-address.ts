/** The contracts of sBTC: the deployer on mainnet, and that of the public test network. */
const deployers = {
  mainnet: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4',
  testnet: 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT',
};

export const sbtcDeployer = (mainnet: boolean) => deployers[mainnet ? 'mainnet' : 'testnet'];

/** The asset of sBTC. */
export const sbtcAsset = (mainnet: boolean) => `${sbtcDeployer(mainnet)}.sbtc-token::sbtc-token`;
