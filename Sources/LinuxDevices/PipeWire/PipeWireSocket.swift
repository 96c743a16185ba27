/// Where the PipeWire daemons of users listen.
struct PipeWireSocket: Sendable {
  let roots: MachineRoots
  let environment: @Sendable (String) -> String?
  /// The user who asks.
  let ownUser: UInt32

  /// The sockets of a user's daemon, the likeliest first.
  ///
  /// The environment tells only where that of the own user listens.
  func paths(of user: UInt32) -> [String] {
    let usual = "\(roots.run)/user/\(user)/pipewire-0"
    guard user == ownUser else { return [usual] }
    let name = environment("PIPEWIRE_REMOTE").flatMap { $0.isEmpty ? nil : $0 } ?? "pipewire-0"
    if name.hasPrefix("/") { return [name] }
    let folders = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"].compactMap(environment)
    let paths = folders.filter { $0.hasPrefix("/") }.prefix(1).map { "\($0)/\(name)" }
    return paths.contains(usual) ? paths : paths + [usual]
  }
}
