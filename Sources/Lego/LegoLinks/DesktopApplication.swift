internal import LegoKit
internal import MessageBus

/// An application that receives links over the user's bus.
///
/// If the application is registered with a ``DesktopEntry``, the bus starts it when a link arrives.
///
/// ```swift
/// let application = try DesktopApplication("org.example.Photos", schemes: ["photos"])
/// if try await application.start() == .handedOver { return }
/// ```
///
/// The application owns its name on the user's bus and implements `org.freedesktop.Application`. If
/// the connection is lost, the application reports the loss once and reconnects. It ends when you
/// call ``close()`` or release the last reference. It needs no privileges, and you can use it from
/// any thread.
public final class DesktopApplication: Sendable {
  /// The role of an instance of the application.
  public enum Instance: Hashable, Sendable {
    /// This instance receives the links from now on.
    case first
    /// This instance was started by the bus, and receives the links from now on.
    ///
    /// It has nothing to show until a link arrives.
    case service
    /// This instance has passed its links to another instance, and can exit.
    case handedOver
  }

  /// The inbox in which the links arrive.
  ///
  /// Links in the program's own arguments arrive first.
  public let arrivals: LinkInbox

  let core: ApplicationCore

  /// Creates an application without starting it.
  ///
  /// - Parameters:
  ///   - name: The name on the bus, which is also the name of the desktop entry, such as
  ///     `org.example.Photos`.
  ///   - schemes: The schemes of the links, without the colon.
  ///   - actions: The links of the actions in the desktop entry, keyed by action name.
  ///   - address: The address of the bus, for example in a test, or `nil` to find the user's bus
  ///     through `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`.
  /// - Throws: A ``DesktopApplicationError`` with the code ``DesktopApplicationError/Code/badName``
  ///   or ``DesktopApplicationError/Code/badScheme``.
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

  /// Makes this instance receive the links, or passes its links to an instance that is already
  /// running.
  ///
  /// If there is no bus, or the bus does not answer within 5 seconds, the application reports the
  /// problem to the current problem sink and keeps trying in the background. Meanwhile, the program
  /// works without the bus.
  ///
  /// - Parameter arguments: The arguments of the program. Those that begin with one of the
  ///   application's schemes are links. All others are ignored, except `--gapplication-service`,
  ///   which the bus passes when it starts the program.
  /// - Returns: The role of this instance.
  /// - Throws: A ``DesktopApplicationError``. The code is
  ///   ``DesktopApplicationError/Code/alreadyStarted``, ``DesktopApplicationError/Code/cancelled``,
  ///   or ``DesktopApplicationError/Code/notHandedOver`` if another instance is running, but
  ///   refuses the links or does not accept them within 10 seconds.
  public func start(
    _ arguments: [String] = Array(CommandLine.arguments.dropFirst())
  ) async throws(DesktopApplicationError) -> Instance {
    try await core.start(arguments, problems: Contractors().problemSink)
  }

  /// Releases the name, closes the connection, and ends the sequence of arrivals.
  ///
  /// The method returns when all of this is complete.
  public func close() async { await core.close() }
}
