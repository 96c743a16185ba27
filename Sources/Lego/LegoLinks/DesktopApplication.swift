internal import LegoKit
internal import MessageBus

/// An application on the user's bus.
///
/// The bus delivers links to it, and starts it for them.
///
/// ```swift
/// let application = try DesktopApplication("org.example.Photos", schemes: ["photos"])
/// if try await application.start() == .handedOver { return }
/// ```
///
/// It owns its name on the user's bus and implements `org.freedesktop.Application`. If the
/// connection is lost, it reports that once and reconnects. It ends with ``close()``, or when the
/// last reference is released. It needs no privileges, and you can use it from any thread.
public final class DesktopApplication: Sendable {
  /// The role of an instance of the application.
  public enum Instance: Hashable, Sendable {
    /// The instance receives the links from now on.
    case first
    /// The instance receives the links, and the bus has started it.
    ///
    /// It has nothing to show until one arrives.
    case service
    /// Another instance has received the links of this one, which can exit.
    case handedOver
  }

  /// The arriving links.
  ///
  /// Those in the program's own arguments come first.
  public let arrivals: LinkInbox

  let core: ApplicationCore

  /// Creates an application that is not started.
  ///
  /// - Parameters:
  ///   - name: The name on the bus and of the desktop entry, such as `org.example.Photos`.
  ///   - schemes: The schemes of the links, without the colon.
  ///   - actions: The links of the actions in the desktop entry, by their names.
  ///   - address: The address of the bus, for example in a test; `nil` for the user's bus in
  ///     `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`.
  /// - Throws: ``DesktopApplicationError/Code/badName`` or
  ///   ``DesktopApplicationError/Code/badScheme``.
  public convenience init(
    _ name: String, schemes: [String], actions: [String: String] = [:], bus address: String? = nil
  ) throws(DesktopApplicationError) {
    try self.init(
      name, schemes: schemes, actions: actions, bus: address, times: ApplicationTimes())
  }

  init(
    _ name: String, schemes: [String], actions: [String: String] = [:], bus address: String?,
    times: ApplicationTimes
  ) throws(DesktopApplicationError) {
    let arrivals = LinkInbox()
    self.arrivals = arrivals
    let name = try BusName(name)
    var known: [LinkScheme] = []
    for scheme in schemes { known.append(try LinkScheme(scheme)) }
    core = ApplicationCore(
      name, known, actions, address.map { .at($0) } ?? .user, times, arrivals)
  }

  deinit { core.stop() }

  /// Becomes the instance that receives the links, or passes its own links to that instance.
  ///
  /// If there is no bus, or it does not answer within 5 seconds, the application reports that to
  /// the current problem sink and tries again in the background. The program works without it.
  ///
  /// - Parameter arguments: The arguments of the program. Those with one of its schemes are links.
  ///   All others are ignored, except `--gapplication-service`, which the bus passes when it starts
  ///   the program.
  /// - Returns: The role of this instance.
  /// - Throws: ``DesktopApplicationError/Code/notHandedOver`` if another instance is running and
  ///   does not accept the links within 10 seconds;
  ///   ``DesktopApplicationError/Code/alreadyStarted``; ``DesktopApplicationError/Code/cancelled``.
  public func start(
    _ arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) async throws(DesktopApplicationError) -> Instance {
    try await core.start(arguments, problems: Contractors().problemSink)
  }

  /// Releases the name, ends the connection and the arrivals, and waits until that is complete.
  public func close() async { await core.close() }
}
