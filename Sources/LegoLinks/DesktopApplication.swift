internal import LegoKit
internal import MessageBus

/// A program as the desktop knows it: the user's bus delivers links to it, and starts it for them.
///
/// ```swift
/// let application = try DesktopApplication("org.example.Photos", schemes: ["photos"])
/// if try await application.start() == .handedOver { return }
/// ```
///
/// It owns its name on the user's bus and implements `org.freedesktop.Application`. A connection that
/// is lost is reported once and made again. It ends with ``close()``, or with the last reference.
/// It needs no privileges, and may be used on any thread.
public final class DesktopApplication: Sendable {
  /// Which instance of the program this one is.
  public enum Instance: Hashable, Sendable {
    /// The one that gets links from now on.
    case first
    /// The one that gets links, started by the bus: there is nothing to show before one arrives.
    case service
    /// A further one, whose links another one has now: it has nothing left to do but to end.
    case handedOver
  }

  /// The links that arrive, those of this program's own arguments first.
  public let arrivals: LinkInbox

  let core: ApplicationCore

  /// Creates a program that is not started.
  ///
  /// - Parameters:
  ///   - name: Its name on the bus, such as `org.example.Photos`: that of its desktop entry.
  ///   - schemes: What its links begin with, without the colon.
  ///   - actions: The links of the actions in its desktop entry, by their names.
  ///   - address: The address of a bus, such as a test's; `nil` for the user's own, which
  ///     `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR` names.
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

  /// Becomes the instance that gets the program's links, or hands its own links to that instance.
  ///
  /// Where there is no bus, or it does not answer within 5 seconds, that is reported to the problem
  /// sink in force, and tried again in the background; the program works without it.
  ///
  /// - Parameter arguments: The arguments of the program. Those that begin with one of its schemes
  ///   are links; all others are ignored, save `--gapplication-service`, by which the bus starts it.
  /// - Returns: Which instance this one is.
  /// - Throws: ``DesktopApplicationError/Code/notHandedOver`` when another instance runs and does not
  ///   take the links within 10 seconds; ``DesktopApplicationError/Code/alreadyStarted``;
  ///   ``DesktopApplicationError/Code/cancelled``.
  public func start(
    _ arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) async throws(DesktopApplicationError) -> Instance {
    try await core.start(arguments, problems: Contractors().problemSink)
  }

  /// Gives the name back, ends the connection and the arrivals, and waits until that is done.
  public func close() async { await core.close() }
}
