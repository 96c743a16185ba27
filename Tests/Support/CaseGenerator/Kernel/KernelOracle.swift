public import AccessModel
internal import CKernelOracle

/// Asks the running kernel for its answers to cases.
///
/// Child processes with the subject's credentials make the system calls in a real tree. Only one
/// task at a time can use an oracle, but several oracles can work in parallel. An oracle requires
/// root in the initial user namespace.
@safe public struct KernelOracle: ~Copyable {
  private let raw: OpaquePointer

  /// Starts the server process.
  ///
  /// - Throws: ``OracleError`` if this process lacks privileges or the kernel lacks a feature.
  public init() throws(OracleError) {
    var reason = Self.emptyText
    guard let raw = unsafe kernel_oracle_start(&reason) else {
      throw OracleError(reason: Self.string(reason))
    }
    unsafe self.raw = raw
  }

  deinit { unsafe kernel_oracle_stop(raw) }

  /// Returns the features that generated cases can use on this machine.
  ///
  /// If the machine restricts links, only such cases are generated, unless the caller accepts that
  /// the restriction is lifted for all processes while trees without it are tested.
  public borrowing func options(mayLiftLinkRestriction: Bool = false) -> GeneratorOptions {
    var options = GeneratorOptions()
    options.deviceCgroups = unsafe kernel_oracle_has_device_cgroup(raw) != 0
    let isRestricted = unsafe kernel_oracle_protected_symlinks(raw) > 0
    options.protectedSymlinks = isRestricted && !mayLiftLinkRestriction ? [true] : [true, false]
    let regular = unsafe Int(kernel_oracle_protected_regular(raw))
    let fifos = unsafe Int(kernel_oracle_protected_fifos(raw))
    options.protectedRegular = Self.levels(from: mayLiftLinkRestriction ? 0 : regular)
    options.protectedFifos = Self.levels(from: mayLiftLinkRestriction ? 0 : fifos)
    let one = IDMap([IDMap.Range(inside: 0, outside: 1, length: 1)])
    options.idMappedMounts = canBuild { $0.mounts[0].idmap = IDMapping(users: one, groups: one) }
    options.inodeFlags = canBuild { $0.nodes[0].flags = [.immutable] }
    return options
  }

  /// Returns the values of a setting that are at least as strict as the given one.
  private static func levels(from level: Int) -> [Int] {
    Array(min(max(level, 0), 2)...2)
  }

  /// Returns whether the kernel can build the smallest tree with a change applied.
  private borrowing func canBuild(_ change: (inout AccessCase) -> Void) -> Bool {
    var smallest = AccessCase(
      protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "tmpfs")],
      nodes: [Node(path: "/", type: .directory, mode: 0o755, uid: 0, gid: 0)],
      subject: Subject(uid: 0, gid: 0), request: .open(path: "/", flags: [.readOnly]))
    change(&smallest)
    return (try? answers(to: CaseBatch(smallest))) != nil
  }

  /// Returns the result of each case's system call, in the order of the cases.
  ///
  /// - Throws: ``OracleError`` if the tree cannot be built, the credentials cannot be changed, or
  ///   the calls take longer than a minute. The oracle remains usable. The limit is that high
  ///   because each open of a node without a driver may start modprobe.
  public borrowing func answers(to batch: CaseBatch) throws(OracleError) -> [Errno] {
    try answers(to: OracleMessage(batch).bytes, count: batch.count, of: batch)
      .map(Errno.init(rawValue:))
  }

  /// Runs commands in the tree, and returns their results and the results of the system calls
  /// before and after them.
  ///
  /// - Throws: ``OracleError`` in the same cases as ``answers(to:)``.
  public borrowing func answers(
    to batch: CaseBatch, with intervention: Intervention
  ) throws(OracleError) -> Intervention.Outcome {
    let commands = intervention.commands.count
    let second = intervention.trials.reduce(0) { $0 + $1.requests.count }
    let all = try answers(
      to: OracleMessage(batch, intervention).bytes, count: batch.count + commands + second,
      of: batch)
    return Intervention.Outcome(
      before: all[..<batch.count].map(Errno.init(rawValue:)),
      statuses: Array(all[batch.count..<(batch.count + commands)]),
      after: all[(batch.count + commands)...].map(Errno.init(rawValue:)),
      output: unsafe String(cString: kernel_oracle_output(raw)))
  }

  private borrowing func answers(
    to message: [UInt8], count: Int, of batch: CaseBatch
  ) throws(OracleError) -> [Int32] {
    var answers = [Int32](repeating: -1, count: count)
    var reason = Self.emptyText
    let failed = unsafe kernel_oracle_ask(
      raw, message, message.count, &answers, count, 60_000, &reason)
    guard failed == 0 else {
      let first = batch.cases.first.map { CaseLine.text(of: $0) } ?? "no case"
      throw OracleError(
        reason: "cases from \(batch.firstID) on: \(Self.string(reason))\n\(first)")
    }
    return answers
  }

  private static var emptyText: [CChar] {
    [CChar](repeating: 0, count: Int(KERNEL_ORACLE_TEXT))
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }
}
