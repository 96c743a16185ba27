import AccessModel
import Testing

/// A public report of a failure, reconstructed as facts.
///
/// Facts that the report does not mention have the values that are typical of such a machine.
struct Report: CustomTestStringConvertible, Sendable {
  /// The public thread.
  var source: String
  /// The cause that the thread found, as a code of this package.
  var found: CauseCode
  /// The cause to report first, if the facts point to a more direct one than the thread.
  var first: CauseCode
  var facts: AccessFacts

  init(
    _ source: String, _ found: CauseCode, first: CauseCode? = nil, from: Fixtures = .camera,
    _ change: (inout Fixtures) -> Void
  ) {
    self.source = source
    self.found = found
    self.first = first ?? found
    facts = from.with(change).facts
  }

  var testDescription: String { source }
}

extension Report {
  static let all: [Report] = groups + owners + seats + layers + nodes + albums + hardware

  /// Reports that facts of this kind cannot explain, and the reason.
  static let undecidable: [String: String] = [
    "dorssel/usbipd-win#206": "whether an interface without a driver was there is not said",
    "google-coral/edgetpu#520": "for which kernels the module was built is not said",
    "roddhjav/apparmor.d#950": "the profile was in complain mode, which lets everything through",
    "flatpak/xdg-desktop-portal#1340": "whether the program was in a sandbox is not said",
    "raspberrypi/rpicam-apps#628": "which other node is refused is not said",
    "jacksonliam/mjpg-streamer#390": "the node came later: one moment cannot tell",
    "EmixamPP/linux-enable-ir-emitter#1": "the node came later: one moment cannot tell",
    "flathub/com.google.Chrome#480": "the cause is the reporter's belief",
    "bluecherrydvr/bluecherry-docker#32": "mount(2) was refused, not a node",
  ]
}
