internal import CLinux
internal import Glibc

/// What the path of a state directory depends on.
package struct Surroundings: Sendable {
  /// The value of an environment variable, if it may be looked at.
  package var environment: @Sendable (String) -> String?
  /// The user's home directory by the account.
  package var home: String?
  /// The name of the executable.
  package var program: String?

  package init(
    environment: @escaping @Sendable (String) -> String?, home: String?, program: String?
  ) {
    self.environment = environment
    self.home = home
    self.program = program
  }

  /// Whether the program was given more rights than those of the user who started it, by set-user-ID or by
  /// file capabilities.
  static var isRaised: Bool { clinux_is_raised() }

  /// Those of this process.
  package static var current: Surroundings {
    // The user who starts such a program chooses the environment, and must not choose the path.
    let isTrusted = !isRaised && getuid() == geteuid() && getgid() == getegid()
    return Surroundings(
      environment: { name in
        guard isTrusted, let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
      },
      home: accountHome(), program: executableName())
  }

  private static func accountHome() -> String? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>? = nil
    var buffer = [CChar](repeating: 0, count: 16_384)
    let count = buffer.count
    let status = unsafe getpwuid_r(geteuid(), &entry, &buffer, count, &found)
    guard status == 0, unsafe found != nil, let home = unsafe entry.pw_dir else { return nil }
    return unsafe String(cString: home)
  }

  private static func executableName() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      let text = unsafe base.assumingMemoryBound(to: CChar.self)
      return unsafe readlink("/proc/self/exe", text, bytes.count)
    }
    let path =
      count > 0
      ? String(decoding: buffer[..<count], as: UTF8.self) : CommandLine.arguments.first ?? ""
    // The kernel adds this where the file was replaced since the program was started.
    let mark = " (deleted)"
    let name = path.split(separator: "/").last.map(String.init)
    return name.map { $0.hasSuffix(mark) ? String($0.dropLast(mark.count)) : $0 }
  }
}
