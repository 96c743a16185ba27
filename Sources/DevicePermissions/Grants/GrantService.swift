public import AccessModel
public import LegoKit
public import LinuxDevices

/// Gives users access to a device or a part of the album for a time or for good, and takes it back.
///
/// It sets an entry of the access control list for one user, and leaves everybody else what they
/// had. Granting and revoking need root or the ownership of the object; planning needs nothing. The
/// work is done off the caller's executor. It blocks on the filesystem, on systemd and, for a minute at most,
/// on other programs that grant.
///
/// ```swift
/// let grants = Contractors().grants
/// let report = try await grants.grant(GrantRequest(.kind(.camera), to: "alice"))
/// try await grants.revoke(.id(report.grant.id))
/// ```
public struct GrantService: Service {
  public static let contractor = GrantService()

  /// What is observed, and what is changed with it: the nodes at the paths that it tells of.
  public var machine: any Machine
  private var places: GrantPlaces?
  /// What answers instead of the running system; `nil` for that one.
  private var desk: (any GrantDesk)?
  /// The absolute path of `devaccess`, which timers and rules of udev call to end and renew grants.
  ///
  /// Without one, a grant ends when the caller revokes it.
  public var program: String?

  /// Whether a grant with an end is ended by its caller here, because systemd does not run or there is no
  /// ``program`` for it to start.
  public var endsWithCaller: Bool { !GrantTimer.isPossible(for: program) }

  /// A service for a machine, which is the running system unless a test names another.
  ///
  /// - Parameters:
  ///   - machine: What is observed.
  ///   - program: What ``program`` begins as.
  public init(machine: any Machine = LinuxMachine(), program: String? = nil) {
    self.machine = machine
    self.program = program
  }

  /// A service that records its grants in folders of a test's own.
  package init(machine: any Machine, record: String) {
    self.init(machine: machine)
    places = GrantPlaces(user: GrantCaller.user, record: record)
  }

  /// A service that something else than the running system answers.
  ///
  /// - Parameters:
  ///   - machine: What is observed.
  ///   - desk: What plans, gives and takes back.
  package init(machine: any Machine, answeredBy desk: any GrantDesk) {
    self.init(machine: machine)
    self.desk = desk
  }

  /// What does the work.
  var work: any GrantDesk {
    if let desk { return desk }
    let user = GrantCaller.user
    let home =
      user == 0 || places != nil
      ? nil : (try? machine.facts(for: Question(.kind(.album))))?.account.home
    return GrantWork(
      machine: machine, places: places ?? GrantPlaces(user: user, home: home), program: program)
  }

  /// Works out what a grant would do, and does nothing.
  ///
  /// - Throws: `GrantError` where it would be refused.
  @concurrent
  public func plan(_ request: GrantRequest) async throws(GrantError) -> GrantReport {
    try request.checkLifetime()
    return try work.plan(request)
  }

  /// Gives access.
  ///
  /// Nothing is set where the decision engine, or the kernel afterwards, says that the entry does
  /// not let the user in.
  ///
  /// - Throws: `GrantError`; nothing is then left behind.
  @concurrent
  public func grant(_ request: GrantRequest) async throws(GrantError) -> GrantReport {
    try request.checkLifetime()
    return try work.grant(request)
  }

  /// Takes grants back: the list is then as if they had not been given.
  ///
  /// A program that has the device open keeps it until it closes it.
  ///
  /// - Throws: `GrantError`: `unknown` where no grant is selected otherwise than as overdue, or the first
  ///   failure, after everything else that was selected was taken back.
  @discardableResult
  @concurrent
  public func revoke(_ selection: GrantSelection) async throws(GrantError) -> [StandingGrant] {
    try await revocation(selection, isDry: false).get()
  }

  /// Works out what taking back would do, and does nothing.
  ///
  /// - Throws: `GrantError`: `unknown` where no grant is selected.
  @concurrent
  public func planRevoke(
    _ selection: GrantSelection
  ) async throws(GrantError) -> [StandingGrant] {
    try await revocation(selection, isDry: true).get()
  }

  /// Takes grants back or works out what that would do, and tells what was done beside what failed.
  ///
  /// - Throws: `GrantError` where nothing was tried.
  @concurrent
  func revocation(
    _ selection: GrantSelection, isDry: Bool
  ) async throws(GrantError) -> Revocation {
    try work.revoke(selection, isDry: isDry)
  }

  /// Gives a grant again on the node of a device that came back, which a rule of udev asks for, or after a
  /// switch of sessions, which a unit of systemd does.
  ///
  /// - Parameters:
  ///   - id: The grant.
  ///   - path: The node.
  ///   - settles: Whether to give it again after each further switch, until there was none for two seconds.
  /// - Throws: `GrantError`: `wrongObject` for another device, `unknown` for a grant
  ///   that is over.
  /// - Returns: The grant.
  @discardableResult
  @concurrent
  public func renew(
    _ id: String, at path: String, settles: Bool = false
  ) async throws(GrantError) -> StandingGrant {
    try work.renew(id, at: path, settles: settles)
  }

  /// The grants that stand: those of this user's record, and the permanent ones.
  ///
  /// - Throws: `GrantError` where the record cannot be read.
  @concurrent
  public func grants() async throws(GrantError) -> [StandingGrant] {
    try work.grants()
  }

  /// Waits until a grant has been ended by anybody.
  ///
  /// - Parameter id: The grant.
  /// - Returns: Whether it has ended; `false` where that is not noticed, and in a cancelled task.
  @concurrent
  public func waitForEnd(of id: String) async -> Bool {
    guard let ending = work.end(of: id) else { return false }
    for await _ in ending {}
    return !Task.isCancelled
  }
}
