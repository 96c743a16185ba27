/// The static description of a cause: its code, its title, and the functions that produce its
/// remedies.
///
/// ``CauseCode`` lists the codes, the article *Causes* describes them for users, and the layers
/// write the summary of each individual cause. To add a cause, add its code, its description in the
/// layer that finds it, and its section in the article.
struct CauseDescription<Described: Layer>: Sendable {
  let code: CauseCode
  /// A title of a few words.
  let title: String
  let object: CauseObject
  /// Returns the fixes, in the layer's order of preference.
  let remedies: @Sendable (Described, Cause) -> [Remedy]
  /// Returns the commands that show more about the cause and change nothing.
  let lookups: @Sendable (Described, Cause) -> [Lookup]
  /// Returns the reason why the cause has no fix; `nil` if the layer does not know one.
  let note: @Sendable (Described, Cause) -> String?

  /// Creates the description of a cause that by default has no remedies, look-ups or note.
  init(
    _ code: CauseCode, _ title: String, object: CauseObject = .requested,
    remedies: @escaping @Sendable (Described, Cause) -> [Remedy] = { _, _ in [] },
    lookups: @escaping @Sendable (Described, Cause) -> [Lookup] = { _, _ in [] },
    note: @escaping @Sendable (Described, Cause) -> String? = { _, _ in nil }
  ) {
    self.code = code
    self.title = title
    self.object = object
    self.remedies = remedies
    self.lookups = lookups
    self.note = note
  }
}

/// The object that a cause is about.
enum CauseObject: Sendable {
  /// The requested object or a component of its path, whose permissions are in the facts.
  case requested
  /// An object other than the one whose permissions are in the facts.
  ///
  /// Examples are a mount that covers the path, another device, a login service that holds the
  /// node, and a node whose permissions udev has not set yet.
  case other
  /// Hardware that has no node, either in the container or on the whole machine.
  case hardware
}
