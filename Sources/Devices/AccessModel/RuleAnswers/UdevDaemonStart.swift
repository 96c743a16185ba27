/// The commands that start and restart udev's daemon, with or without systemd.
///
/// Some WSL distributions run without systemd as the first process.
struct UdevDaemonStart {
  /// A Boolean value that indicates whether systemd runs (sd_booted(3)); `nil` if unknown.
  let hasSystemd: Bool?

  private static let daemon = "/lib/systemd/systemd-udevd --daemon"

  /// The commands that start the daemon.
  var start: [String] {
    hasSystemd == false ? [Self.daemon] : ["systemctl start systemd-udevd.service"]
  }

  /// The commands that restart the daemon.
  var restart: [String] {
    hasSystemd == false
      ? ["udevadm control --exit", Self.daemon] : ["systemctl restart systemd-udevd.service"]
  }
}
