import FormEditing
import FormModel
import Synchronization

/// What a page tells that a person did.
struct PageEvent {
  enum Action {
    /// Something in a field. A tap on a tag may say whether the tag is to be chosen after it.
    case edit(EditingEvent, isSelected: Bool?)
    /// The draft has another title.
    case title(String)
  }

  /// By what an event is known that is sent again: the page where it happened, which may be gone,
  /// and its place among that page's events.
  struct Serial {
    let page: String
    let number: Int
  }

  let action: Action
  let serial: Serial?

  /// - Throws: `EventError`
  init(json: JSONValue) throws {
    serial = json["number"]?.integerValue.map {
      Serial(page: json["page"]?.stringValue ?? "", number: Int(clamping: $0))
    }
    if let title = json["title"]?.stringValue {
      action = .title(title)
    } else {
      action = .edit(try EditingEvent(json: json), isSelected: json["selected"]?.boolValue)
    }
  }
}

/// The events of pages that a draft took in already.
///
/// A page sends an event again when no answer came. What was taken must not be taken again: it would
/// overwrite what others did since.
struct TakenEvents {
  /// Of each page, the number of the last event that is on the disk, or that the session holds.
  private(set) var numbers: [String: Int] = [:]
  /// What was answered to the last request of each page that brought something new.
  private var outcomes: [String: [Int: JSONObject]] = [:]
  /// A title that could not be saved yet.
  var title: String?

  init(numbers: [String: Int] = [:]) { self.numbers = numbers }

  /// What is to be answered to an event that was taken before, else nil.
  func outcome(of serial: PageEvent.Serial?) -> JSONObject? {
    guard let serial, let last = numbers[serial.page], serial.number <= last else { return nil }
    return outcomes[serial.page]?[serial.number] ?? ["accepted": true]
  }

  /// Remembers what the events of one request came to.
  mutating func note(_ answered: [(event: PageEvent, outcome: JSONObject)]) {
    var fresh: [String: [Int: JSONObject]] = [:]
    var isNew: Set<String> = []
    for (event, outcome) in answered {
      guard let serial = event.serial else { continue }
      fresh[serial.page, default: [:]][serial.number] = outcome
      guard serial.number > numbers[serial.page] ?? .min else { continue }
      numbers[serial.page] = serial.number
      isNew.insert(serial.page)
    }
    for page in isNew { outcomes[page] = fresh[page] }
  }
}

/// Of each page that had a draft open, the number of its last event that is on the disk.
final class SavedEvents: Sendable {
  private let last = Mutex<[String: Int]>([:])

  var numbers: [String: Int] { last.withLock { $0 } }

  func note(_ events: [PageEvent]) {
    last.withLock { last in
      for serial in events.compactMap(\.serial) {
        last[serial.page] = max(last[serial.page] ?? .min, serial.number)
      }
    }
  }
}
