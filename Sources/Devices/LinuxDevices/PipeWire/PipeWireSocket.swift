/// Finds the sockets of users' PipeWire daemons.
struct PipeWireSocket: Sendable {
  let roots: MachineRoots
  let environment: @Sendable (String) -> String?
  /// The ID of the user that runs this process.
  let ownUser: UInt32

  /// Returns the possible paths of a user's daemon socket, the most likely first.
  ///
  /// The environment is considered only for the user that runs this process.
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
