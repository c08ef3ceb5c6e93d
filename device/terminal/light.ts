/**
 * Light: the states of the appliance that a person can see (user-experience notes 3). Each is a colour and a rhythm, so
 * that colour never stands alone.
 */
export type Light =
  | 'starting'
  | 'setup'
  | 'clock'
  | 'ready'
  | 'listening'
  | 'thinking'
  | 'speaking'
  | 'muted'
  | 'no-network'
  | 'key-refused'
  | 'fault'
  | 'updating'
  | 'rolled-back';
