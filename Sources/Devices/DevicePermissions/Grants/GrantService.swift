public import AccessModel
public import DeviceWatching
public import LegoKit
public import LinuxDevices

/// Gives users temporary or permanent access to a device or a part of the album, and revokes it.
///
/// The service sets an access control list entry for one user, and does not change the access of
/// other users. Granting and revoking require root or the ownership of the object; planning
/// requires no privileges. The calls do not run on the caller's executor. They block on the
/// filesystem, on systemd and, for up to a minute, on other programs that change grants.
///
/// ```swift
/// let grants = Contractors().grants
/// let report = try await grants.grant(GrantRequest(.kind(.camera), to: "alice"))
/// try await grants.revoke(.id(report.grant.id))
/// ```
public struct GrantService: Service {
  public static let contractor = GrantService()

  /// The machine to observe; grants change the nodes at the paths that it reports.
  public var machine: any Machine
  private var folders: GrantFolders?
  /// Performs the calls instead of the running system; `nil` for the running system.
  private var backend: (any GrantBackend)?
  /// The absolute path of `devaccess`, which timers and udev rules run to end and renew grants.
  ///
  /// If this is `nil`, a grant remains until the caller revokes it.
  public var program: String?

  /// A Boolean value that indicates whether the caller has to end temporary grants.
  ///
  /// That is the case if systemd is not running, or if there is no ``program`` for it to start.
  public var endsWithCaller: Bool { !GrantTimer.isPossible(for: program) }

  /// Creates a service for a machine, by default the running system.
  ///
  /// - Parameters:
  ///   - machine: The machine to observe.
  ///   - program: The initial value of ``program``.
  public init(machine: any Machine = LinuxMachine(), program: String? = nil) {
    self.machine = machine
    self.program = program
  }

  /// Creates a service that records its grants in the folder of a test.
  package init(machine: any Machine, record: String) {
    self.init(machine: machine)
    folders = GrantFolders(user: GrantCaller.user, record: record)
  }

  /// Creates a service whose calls are performed by a backend instead of the running system.
  ///
  /// - Parameters:
  ///   - machine: The machine to observe.
  ///   - backend: Plans, gives and revokes the grants.
  package init(machine: any Machine, answeredBy backend: any GrantBackend) {
    self.init(machine: machine)
    self.backend = backend
  }

  /// The object that performs the calls.
  var work: any GrantBackend {
    if let backend { return backend }
    let user = GrantCaller.user
    let home = user == 0 || folders != nil ? nil : GrantCaller.home
    return GrantOperations(
      machine: machine, folders: folders ?? GrantFolders(user: user, home: home),
      program: program)
  }

  /// Plans a grant without changing anything.
  ///
  /// - Throws: `GrantError` if the grant would be refused.
  @concurrent
  public func plan(_ request: GrantRequest) async throws(GrantError) -> GrantReport {
    try request.checkLifetime()
    return try work.plan(request)
  }

  /// Gives a user access.
  ///
  /// If the decision engine finds that an entry would have no effect, none is set. If the kernel's
  /// answer shows that afterwards, the entry is removed again.
  ///
  /// - Throws: `GrantError`, after removing an entry that was set. If the entry cannot be removed,
  ///   its record is kept.
  @concurrent
  public func grant(_ request: GrantRequest) async throws(GrantError) -> GrantReport {
    try request.checkLifetime()
    return try work.grant(request)
  }

  /// Revokes grants, and restores the access lists that would exist without them.
  ///
  /// A program that has the device open keeps its access until it closes the device.
  ///
  /// - Throws: `GrantError`: `unknown` if a selection other than ``GrantSelection/overdue`` matches
  ///   no grant, or the first failure, after all other selected grants were revoked.
  @discardableResult
  @concurrent
  public func revoke(_ selection: GrantSelection) async throws(GrantError) -> [StandingGrant] {
    try await revocation(selection, isDry: false).get()
  }

  /// Plans a revocation without changing anything.
  ///
  /// - Throws: `GrantError`: `unknown` if a selection other than ``GrantSelection/overdue`` matches
  ///   no grant, or the first failure.
  @concurrent
  public func planRevoke(
    _ selection: GrantSelection
  ) async throws(GrantError) -> [StandingGrant] {
    try await revocation(selection, isDry: true).get()
  }

  /// Revokes grants or plans that, and returns both the result and the first failure.
  ///
  /// - Throws: `GrantError` if nothing was attempted.
  @concurrent
  package func revocation(
    _ selection: GrantSelection, isDry: Bool
  ) async throws(GrantError) -> Revocation {
    try work.revoke(selection, isDry: isDry)
  }

  /// Renews a grant on the node of a device that was connected again, or after a session switch.
  ///
  /// A udev rule or a systemd unit requests this.
  ///
  /// - Parameters:
  ///   - id: The identifier of the grant.
  ///   - path: The node of the device.
  ///   - settles: `true` to renew it again after each session switch, until two seconds pass
  ///     without one.
  /// - Throws: `GrantError`: `wrongObject` if the node belongs to another device, `unknown` if the
  ///   grant has ended.
  /// - Returns: The grant.
  @discardableResult
  @concurrent
  public func renew(
    _ id: String, at path: String, settles: Bool = false
  ) async throws(GrantError) -> StandingGrant {
    try work.renew(id, at: path, settles: settles)
  }

  /// Returns the grants in the record of the current user, and the permanent ones.
  ///
  /// - Throws: `GrantError` if the record cannot be read.
  @concurrent
  public func grants() async throws(GrantError) -> [StandingGrant] {
    try work.grants()
  }

  /// Waits until a grant has ended, regardless of which program ended it.
  ///
  /// - Parameter id: The identifier of the grant.
  /// - Returns: `true` if the grant has ended; `false` if the end cannot be detected, or if the
  ///   task was cancelled.
  @concurrent
  public func waitForEnd(of id: String) async -> Bool {
    guard let ending = work.end(of: id) else { return false }
    for await _ in ending {}
    return !Task.isCancelled
  }
}

/// Performs the calls of a ``GrantService``, on the running system or on a machine that a test
/// describes.
package protocol GrantBackend: Sendable {
  /// Plans a grant without changing anything.
  func plan(_ request: GrantRequest) throws(GrantError) -> GrantReport

  /// Gives access.
  func grant(_ request: GrantRequest) throws(GrantError) -> GrantReport

  /// Revokes grants, or only returns those that would be revoked.
  ///
  /// - Throws: The error that prevented any attempt, such as `unknown` if no grant is selected.
  func revoke(_ selection: GrantSelection, isDry: Bool) throws(GrantError) -> Revocation

  /// Renews a grant on the node of a device that was connected again, or after session switches.
  func renew(
    _ id: String, at path: String, settles: Bool
  ) throws(GrantError) -> StandingGrant

  /// Returns the existing grants.
  func grants() throws(GrantError) -> [StandingGrant]

  /// Returns a stream that finishes when the grant has ended; `nil` if the end cannot be detected.
  func end(of id: String) -> AsyncStream<Void>?
}

extension GrantBackend {
  package func end(of id: String) -> AsyncStream<Void>? { nil }
}

extension Contractors {
  /// The service that gives users access to devices, and revokes it.
  public var grants: GrantService {
    get { Self[GrantService.Value.self] }
    set { Self[GrantService.Value.self] = newValue }
  }
}
