/// The real service did not come, or was not what was asked for.
struct KeyringNotStarted: Error, CustomStringConvertible {
  /// What the last call of it was told.
  let reason: String
  /// Whether it has ended by itself.
  let hasEnded: Bool
  /// What it printed.
  let errors: String?

  var description: String {
    "GNOME Keyring \(hasEnded ? "has ended" : "does not serve"): \(reason); \(errors ?? "")"
  }
}
