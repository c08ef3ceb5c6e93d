/** The line to the cloud. */
export const LINE = {
  ENDPOINT_MISSING: {
    ja: '接続先が設定されていません。環境変数 MCP_ENDPOINT か、aivoice run では appliance.toml の endpoint.url に書いてください。',
    en: 'No endpoint is set. Set the variable MCP_ENDPOINT; for aivoice run, endpoint.url in appliance.toml does too.',
  },
  ENDPOINT_INVALID: {
    ja: '接続先のアドレスが正しくありません。wss:// で始まるアドレスを書いてください。',
    en: 'The endpoint is not an address. Write one that begins with wss://.',
  },
  NET_NAME: {
    ja: 'クラウドの名前を解決できません。ネットワークと DNS を確かめてください。',
    en: 'The name of the cloud cannot be resolved. Check the network and its DNS.',
  },
  NET_DOWN: {
    ja: 'クラウドに届きません。ネットワークを確かめてください。接続は自動で戻ります。質問はもう一度してください。',
    en: 'The cloud cannot be reached. Check the network. The line comes back by itself; a question has to be asked again.',
  },
  NET_AUTH: {
    ja: 'Wi-Fi のパスワードが違うようです。正しい ssid と password をカードの aivoice.toml に書いてください。5 分ごとにもう一度試します。',
    en: 'The password of the Wi-Fi seems to be wrong. Write ssid and password into aivoice.toml on the card. It is tried again every 5 minutes.',
  },
  NET_NOT_FOUND: {
    ja: 'その名前の Wi-Fi が見つかりません。名前、距離、ルーターの電源を確かめてください。',
    en: 'There is no Wi-Fi of that name. Check the name, the distance, and whether the router is on.',
  },
  NET_NO_ADDRESS: {
    ja: 'Wi-Fi にはつながりましたが、アドレスをもらえません。ルーターの DHCP を確かめてください。',
    en: 'The Wi-Fi was joined, but gives no address. Check DHCP in the router.',
  },
  NET_NO_RADIO: {
    ja: 'この機器の無線が見つかりません。ケーブルでつないでください。',
    en: 'No radio was found in this device. Connect it by cable.',
  },
  TLS: {
    ja: 'クラウドの証明書を確認できません。接続先と CA ファイルを確かめてください。',
    en: "The cloud's certificate cannot be verified. Check the endpoint and the CA file.",
  },
  CLOCK: {
    ja: 'この機器の時計が合っていません。時刻の設定（NTP）を確かめてください。',
    en: 'The clock of this machine is wrong. Check its time setting (NTP).',
  },
  KEY_REFUSED: {
    ja: 'クラウドが鍵を拒否しました。コンソールで新しい接続先を作り、設定してください。',
    en: 'The cloud refused the key. Make a new endpoint in the console and set it.',
  },
  KEY_EXPIRED: {
    ja: '接続先の鍵の期限が切れています。コンソールで新しい接続先を作り、設定してください。',
    en: 'The key of the endpoint has expired. Make a new endpoint in the console and set it.',
  },
  REPLACED: {
    ja: '別のプログラムが同じ接続先を使っています。どちらかを止めてください。',
    en: 'Another program uses this endpoint. Stop one of the two.',
  },
  CLOUD_4004: {
    ja: 'クラウドが接続を閉じました（4004）。自動で再接続します。',
    en: 'The cloud closed the line (4004). Reconnecting by itself.',
  },
  CLOUD_CLOSED: {
    ja: 'クラウドが接続を閉じました。自動で再接続します。',
    en: 'The cloud closed the line. Reconnecting by itself.',
  },
  CLOUD_HTTP: {
    ja: 'クラウドが WebSocket 以外の応答を返しました。接続先を確かめてください。',
    en: 'The cloud answered with something other than a WebSocket. Check the endpoint.',
  },
} as const;
