/** The definitions of cost-voting, in the notation of `readOutline`. */
export const costVotingOutline = `
(released Epoch20 Clarity1)
(type confirmed {confirmed-height: uint, cost-function-contract: principal, cost-function-name: (string-ascii 128),
  function-contract: principal, function-name: (string-ascii 128)})
(type proposal {cost-function-contract: principal, cost-function-name: (string-ascii 128), expiration-block-height: uint,
  function-contract: principal, function-name: (string-ascii 128)})
(public confirm-miners ((proposal-id uint)) (response bool int))
(public confirm-votes ((proposal-id uint)) (response bool int))
(public submit-proposal ((function-contract principal) (function-name (string-ascii 128)) (cost-function-contract principal)
  (cost-function-name (string-ascii 128))) (response uint never))
(public veto ((proposal-id uint)) (response bool int))
(public vote-proposal ((proposal-id uint) (amount uint)) (response bool int))
(public withdraw-votes ((proposal-id uint) (amount uint)) (response bool int))
(read-only get-confirmed-proposal ((confirmed-id uint)) (optional confirmed))
(read-only get-principal-votes ((address principal) (proposal-id uint)) (optional uint))
(read-only get-proposal ((proposal-id uint)) (optional proposal))
(read-only get-proposal-vetos ((proposal-id uint)) (optional uint))
(read-only get-proposal-votes ((proposal-id uint)) (optional uint))
(map confirmed-count-at-block uint uint)
(map confirmed-proposals {confirmed-id: uint} confirmed)
(map exercised-veto {proposal-id: uint, veto-height: uint} {vetoed: bool})
(map functions-to-confirmed-ids {function-contract: principal, function-name: (string-ascii 128)} {proposal-id: uint})
(map principal-proposal-votes {address: principal, proposal-id: uint} {votes: uint})
(map proposal-confirmed-id {proposal-id: uint} {confirmed-id: uint})
(map proposal-vetos {proposal-id: uint} {vetos: uint})
(map proposal-votes {proposal-id: uint} {votes: uint})
(map proposals {proposal-id: uint} proposal)
(map vote-confirmed-proposals {proposal-id: uint} {expiration-block-height: uint})
(fungible-token cost-vote-token)
(constants int ERR_ALREADY_VETOED ERR_AMOUNT_NOT_POSITIVE ERR_FETCHING_BLOCK_INFO ERR_FT_TRANSFER ERR_INSUFFICIENT_FUNDS
  ERR_INSUFFICIENT_VOTES ERR_NOT_LAST_MINER ERR_NO_SUCH_PROPOSAL ERR_PROPOSAL_CONFIRMED ERR_PROPOSAL_EXPIRED
  ERR_PROPOSAL_VETOED ERR_STX_TRANSFER ERR_TOO_MANY_CONFIRMED ERR_UNREACHABLE ERR_VETO_PERIOD_NOT_OVER ERR_VETO_PERIOD_OVER
  ERR_VOTE_ENDED ERR_VOTE_NOT_CONFIRMED)
(constants uint MAX_CONFIRMED_PER_BLOCK REQUIRED_PERCENT_STX_VOTE REQUIRED_VETOES VETO_LENGTH VOTE_LENGTH)
(variables uint confirmed-proposal-count proposal-count)
`;
