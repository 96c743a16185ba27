/// The observations that answer one question: an access case, and the facts that explain it.
///
/// A snapshot is this value as JSON. The same facts give the same answer on every machine.
public struct AccessFacts: Hashable, Sendable {
  /// The requested kind, such as `camera`; `nil` if a path was requested.
  public var kind: String?
  /// The access case, with the request for the chosen object.
  ///
  /// Its nodes cover every candidate of the kind, so a change of the request is enough to decide
  /// about another candidate. For a kind without candidates, the request names a path that does not
  /// exist, such as `/dev/video0`.
  public var access: AccessCase
  /// All devices of the subsystem, including those that are not of the kind.
  public var devices: [DeviceFacts] = []
  /// The interpreters of a script to execute, each one running the previous one (`#!`).
  public var interpreters: [String] = []
  /// The location of the pictures directory; `nil` if the question is not about the album.
  public var album: AlbumFacts?
  /// The database entries of the subject's user, and the names of IDs in the facts.
  @inlinable public var account: AccountFacts {
    get { accountPart.value }
    set { accountPart = Shared(newValue) }
  }
  /// The login session of the subject; `nil` if logind was not asked.
  @inlinable public var session: SessionFacts? {
    get { sessionPart?.value }
    set { sessionPart = newValue.map(Shared.init) }
  }
  /// The container, security modules, filters and unit around the subject.
  @inlinable public var confinement: ConfinementFacts {
    get { confinementPart.value }
    set { confinementPart = Shared(newValue) }
  }
  /// The origin of the subject; `nil` for the observing process itself.
  @inlinable public var origin: SubjectOrigin? {
    get { originPart?.value }
    set { originPart = newValue.map(Shared.init) }
  }
  /// The kernel's own answers for the subject.
  ///
  /// It is empty if the kernel could not be asked, as for a hypothetical subject. If the kernel
  /// grants several permissions together, it might not have been asked about each one.
  public var kernelChecks: [KernelCheck] = []
  /// The results of attempts to use an object; nothing is tried without an explicit request.
  public var attempts: [Attempt] = []
  /// The reasons why hardware may have no node or is held by another driver or program.
  ///
  /// It is `nil` if neither is in question.
  @inlinable public var hardware: HardwareFacts? {
    get { hardwarePart?.value }
    set { hardwarePart = newValue.map(Shared.init) }
  }
  /// The state of the portal; `nil` if it was not inspected.
  public var portal: PortalFacts?
  /// The processes that have the devices open; `nil` if they were not inspected.
  @inlinable public var use: UseFacts? {
    get { usePart?.value }
    set { usePart = newValue.map(Shared.init) }
  }
  /// The effects of udev's rules on the device; `nil` if the rules were not read.
  @inlinable public var rules: RuleFacts? {
    get { rulesPart?.value }
    set { rulesPart = newValue.map(Shared.init) }
  }
  /// The relevant facts that were not observed, each with the reason.
  public var unobserved: [Unobserved] = []

  // Each event copies the facts several times, and these parts are large or rarely present.
  @usableFromInline var accountPart = Shared(AccountFacts())
  @usableFromInline var sessionPart: Shared<SessionFacts>?
  @usableFromInline var confinementPart = Shared(ConfinementFacts())
  @usableFromInline var originPart: Shared<SubjectOrigin>?
  @usableFromInline var hardwarePart: Shared<HardwareFacts>?
  @usableFromInline var usePart: Shared<UseFacts>?
  @usableFromInline var rulesPart: Shared<RuleFacts>?

  /// Creates facts with only a case.
  public init(kind: String? = nil, access: AccessCase) {
    self.kind = kind
    self.access = access
  }
}

/// A part of a value that all copies of the value share.
///
/// Copying it only retains a reference.
@usableFromInline
struct Shared<Value: Hashable & Sendable>: Sendable {
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let value: Value

    @usableFromInline init(_ value: Value) { self.value = value }
  }

  @usableFromInline let storage: Storage

  @inlinable init(_ value: Value) { storage = Storage(value) }

  @inlinable var value: Value { storage.value }
}

extension Shared: Hashable {
  /// Parts with the same storage are equal, so their values need no comparison.
  @usableFromInline static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage || one.value == other.value
  }

  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// The location of the user's pictures directory, and the source of that location.
public struct AlbumFacts: Hashable, Sendable, Codable {
  /// The source of the location of the pictures directory.
  public enum Source: String, Hashable, Sendable, Codable {
    /// `XDG_PICTURES_DIR` in the environment.
    case environment
    /// `XDG_PICTURES_DIR` in `user-dirs.dirs`.
    case userDirectories = "user-dirs.dirs"
    /// No configured location: the directory is `Pictures` in the home directory.
    case `default`
  }

  /// The absolute path of the directory; `nil` if there is no home directory to start from.
  public var path: String?
  /// The source of the location.
  public var source: Source
  /// The problem with the configuration, as one clause; `nil` if there is none.
  public var problem: String?

  /// Creates the location of a pictures directory, which need not exist.
  public init(path: String?, source: Source, problem: String? = nil) {
    self.path = path
    self.source = source
    self.problem = problem
  }
}

/// The facts about the camera portal of a desktop, and its stored answer for an application.
///
/// They are only written by hand. Asking the permission store or the portal would start them
/// through D-Bus activation, which an observer must not do.
public struct PortalFacts: Hashable, Sendable, Codable {
  /// The answer in the permission store (table `devices`, ID `camera`), which is `yes`, `no` or
  /// `ask`.
  ///
  /// It is `nil` if the store contains no answer.
  public var storedAnswer: String?
  /// The problem with the portal or its backend, as one clause; `nil` if none is known.
  public var problem: String?

  /// Creates the facts about a portal, by default without an answer and a problem.
  public init(storedAnswer: String? = nil, problem: String? = nil) {
    self.storedAnswer = storedAnswer
    self.problem = problem
  }

  private enum CodingKeys: String, CodingKey {
    case storedAnswer = "stored_answer"
    case problem
  }
}

/// A fact that could affect the answer but could not be observed.
public struct Unobserved: Hashable, Sendable, Codable {
  /// The layer of the data that the udev daemon stores about each device.
  public static let udevDatabaseLayer = "udev-database"

  /// The layer of settings that may restrict a service, but could not be read or interpreted.
  package static let restrictionsLayer = "unit-restrictions"

  /// The layer of a device that a probe did not open, because opening it has an effect.
  package static let openingLayer = "opening"

  /// The layer that was not observed, such as `acl`, `mountinfo`, `device-program` or `logind`.
  public var layer: String
  /// The path or name of the object; `nil` if the layer concerns the whole machine.
  public var at: String?
  /// The reason, as one clause, such as `permission denied`.
  public var reason: String

  /// Creates an entry for a layer, by default about the whole machine.
  public init(_ layer: String, at: String? = nil, reason: String) {
    self.layer = layer
    self.at = at
    self.reason = reason
  }
}

extension [Unobserved] {
  /// Returns the reason for an undecided answer, completed with the reason why the object could not
  /// be inspected.
  ///
  /// - Parameter reason: The reason from the decision, which ends with the path of the object.
  /// - Returns: The completed clause, such as `…: /home (Input/output error)`, or `reason` itself
  ///   if the array has no entry for the object.
  package func completing(_ reason: String) -> String {
    let layer = Node.Element.status.rawValue
    let unseen = first { unobserved in
      unobserved.layer == layer && unobserved.at.map { reason.hasSuffix(": \($0)") } ?? false
    }
    return unseen.map { "\(reason) (\($0.reason))" } ?? reason
  }
}
