/**
 * A labelled set: what agents of a shop, a clinic and a software company know, and what people ask them in their own words.
 * The weights of the ranking were not fitted to it.
 */

export interface LabelledEntry {
  /** Names the entry in the questions below. */
  readonly key: string
  readonly title: string
  readonly content: string
}

export type QuestionKind =
  | "ordinary"
  | "paraphrase"
  | "unprepared"
  | "code"
  | "typo"
  | "plural"
  | "language"
  | "syntax"
  | "long"

export interface LabelledQuestion {
  readonly kind: QuestionKind
  readonly question: string
  /** Keys of entries that answer it. */
  readonly answers: ReadonlyArray<string>
}

export const entries: ReadonlyArray<LabelledEntry> = [
  // A shop for kitchens.
  {
    key: "returns",
    title: "Returns and exchanges",
    content:
      "Unused goods can be sent back within 30 days of delivery in their original box. Start the return from your order page and print the prepaid label. Once the parcel reaches our warehouse we inspect it within three working days. Sale items can be exchanged but not refunded."
  },
  {
    key: "refund-time",
    title: "When will I get my money back?",
    content:
      "Refunds are paid to the card or account that was used for the purchase. Most banks show the amount five to seven working days after we have approved it. Gift cards are credited at once. If nothing has arrived after ten days, write to us with the refund number."
  },
  {
    key: "shipping-cost",
    title: "Shipping rates",
    content:
      "Standard delivery costs 4.90 and is free for orders above 50. Express delivery with a courier costs 12.50 and reaches you the next working day if you order before noon. Islands and mountain villages have a surcharge of 6.00."
  },
  {
    key: "abroad",
    title: "Countries we deliver to",
    content:
      "We ship to all of the European Union, Switzerland, Norway and the United Kingdom. Customs duties outside the EU are paid by the recipient. We do not ship to PO boxes or to parcel lockers abroad."
  },
  {
    key: "tracking",
    title: "Where is my parcel?",
    content:
      "As soon as the courier has collected your parcel you receive an email with a tracking number. Open the link to follow it on the map. A status that has not moved for four working days means that it may be lost: tell us, and we open an investigation with the carrier."
  },
  {
    key: "kettle",
    title: "Electric kettle AB-1234",
    content:
      "The AB-1234 boils 1.7 litres in four minutes and switches itself off. Brushed steel, 2200 watts, cord of 75 cm. The lid is removable and the limescale filter can be rinsed under the tap. Not suitable for the dishwasher."
  },
  {
    key: "kettle-small",
    title: "Travel kettle AB-1243",
    content:
      "The AB-1243 is a folding silicone kettle of 0.6 litres for journeys, with a switch for 110 and 230 volts. It weighs 480 grams and comes with a pouch."
  },
  {
    key: "descaling",
    title: "Removing limescale",
    content:
      "Fill the kettle or coffee machine to half with water and a sachet of citric acid, bring it to the boil and leave it for twenty minutes. Rinse twice. In regions with hard water repeat this every month. Vinegar attacks the seals and voids the warranty."
  },
  {
    key: "blender",
    title: "Blender MX-900: error codes",
    content:
      "E-17 means that the jug is not locked: turn it until it clicks. E-23 is shown when the motor is too hot: let it cool for fifteen minutes. E-41 stands for a worn blade that must be replaced by a workshop."
  },
  {
    key: "knives",
    title: "Sharpening knives",
    content:
      "Damascus and carbon steel blades are sharpened on a whetstone at an angle of fifteen degrees. Never put them into the dishwasher. Our workshop grinds blades of all makers for 8.00 apiece; bring them on Tuesdays."
  },
  {
    key: "warranty",
    title: "Warranty",
    content:
      "Appliances carry a guarantee of two years against faults of material and manufacture, pans one of ten years. Keep the receipt. Wear, limescale and damage by falling are not covered."
  },
  {
    key: "spare-parts",
    title: "Spare parts",
    content:
      "Seals, lids, jugs and filters can be ordered for ten years after a product was last sold. Type the article number on the underside of the device into the search field of the shop."
  },
  {
    key: "gift-card",
    title: "Gift vouchers",
    content:
      "Vouchers can be bought from 10 to 500 and are sent by email or as a printed card. They are valid for three years. Enter the code on the payment page; what is left stays on the voucher."
  },
  {
    key: "opening",
    title: "Opening hours of the store",
    content:
      "The store at 12 Mill Lane is open from Monday to Friday from 9 to 18:30 and on Saturdays until 16:00. On Sundays and public holidays it is closed. Parking in the courtyard is free for an hour."
  },
  {
    key: "payment",
    title: "Ways to pay",
    content:
      "We accept credit and debit cards, PayPal, bank transfer and, in Germany, purchase on invoice. Instalments over six or twelve months are offered for baskets above 200. Cash is accepted in the store only."
  },
  {
    key: "wedding",
    title: "Wedding lists",
    content:
      "Couples can put together a list of presents in the shop. Guests see what has been given already. After the feast you may swap any duplicate for a voucher within ninety days."
  },
  {
    key: "pans",
    title: "Which pans work on induction?",
    content:
      "All pans with a magnetic base are suitable for induction hobs: cast iron, enamel and our stainless series. Copper and aluminium ones are not, unless the spiral symbol is stamped on the underside."
  },
  {
    key: "damaged",
    title: "Something arrived broken",
    content:
      "Take photographs of the box and of the damage and send them to us within 48 hours of delivery. We send a replacement at our expense; you need not return shards of glass or china."
  },
  {
    key: "cancel-order",
    title: "Cancelling an order",
    content:
      "An order can be cancelled free of charge until it has been handed to the carrier: press Cancel on the order page. After that, refuse the parcel at the door or send it back."
  },
  {
    key: "newsletter",
    title: "Newsletter",
    content:
      "To stop receiving our newsletter use the link at the foot of every issue. It may take two days until you are off the list. Messages about orders are sent anyway."
  },
  // A clinic.
  {
    key: "appointment",
    title: "Booking an appointment",
    content:
      "Appointments with the doctors can be booked online, by telephone or through this chat. New patients need half an hour and should bring their insurance card and a list of the medicines they take."
  },
  {
    key: "cancel-appointment",
    title: "If you cannot come",
    content:
      "Please cancel an appointment at least 24 hours before. For slots that were missed without notice a fee of 40 is charged, as another patient could have been seen."
  },
  {
    key: "fasting",
    title: "Before a blood test",
    content:
      "Do not eat for ten hours before blood is taken for sugar and cholesterol. Water and unsweetened tea are allowed. Take your pills as usual unless the physician has told you otherwise."
  },
  {
    key: "results",
    title: "Laboratory results",
    content:
      "Findings of the laboratory are in the patient portal after two working days. Anything worrying is told to you by the doctor on the telephone; we never send findings by email."
  },
  {
    key: "prescription",
    title: "Repeat prescriptions",
    content:
      "Medicine that you take for good can be ordered again without a visit: send its name and strength. The prescription is at your pharmacy electronically on the next working day. Painkillers of the opioid group require a visit each time."
  },
  {
    key: "vaccination",
    title: "Vaccinations",
    content:
      "We give jabs against influenza from October, and against tetanus, measles and hepatitis all year. Bring your vaccination record. Wait for fifteen minutes in the practice afterwards."
  },
  {
    key: "emergency",
    title: "Nights and weekends",
    content:
      "Outside our hours call the on-call service at 116 117. With chest pain, paralysis or heavy bleeding dial 112 at once."
  },
  {
    key: "parking-clinic",
    title: "Wheelchairs and lifts",
    content:
      "The practice is on the second floor and has a lift. Two spaces for disabled people are beside the entrance in Garden Street; the doors open by themselves."
  },
  {
    key: "children",
    title: "Check-ups for children",
    content:
      "Babies and toddlers are examined on Wednesday mornings, so that they meet no one who is ill. Bring the yellow booklet, a nappy and something to drink."
  },
  // Support of a software.
  {
    key: "password",
    title: "Resetting your password",
    content:
      "On the sign-in page choose 'Forgotten?' and type your email address. The link in the message is valid for one hour. If it does not arrive, look into the spam folder. After five wrong attempts the account is locked for fifteen minutes."
  },
  {
    key: "two-factor",
    title: "Two-factor authentication",
    content:
      "Under Security you can have a code from an authenticator app asked for at every login. Print the recovery codes: without them and without your phone only an administrator of your workspace can let you in again."
  },
  {
    key: "plan",
    title: "Changing or ending your subscription",
    content:
      "Plans are changed under Billing. An upgrade is effective at once and charged by the day; a downgrade begins with the next period. To cancel your plan, choose 'End subscription': you keep access until the period is over."
  },
  {
    key: "invoices",
    title: "Invoices",
    content:
      "Invoices are under Billing, Documents, as PDF files. The VAT number and the address of the company can be changed for future ones; those that were issued cannot be altered."
  },
  {
    key: "export",
    title: "Taking your data with you",
    content:
      "Settings, Data, Export makes a ZIP archive with all projects as CSV and JSON. Large workspaces get a mail when it is ready. Archives are kept for seven days."
  },
  {
    key: "err-conn",
    title: "ERR_CONN_RESET while syncing",
    content:
      "The message ERR_CONN_RESET means that a proxy or firewall has cut the connection. Allow sync.example.com on port 443, and turn off the inspection of TLS for it. Version 2.3.1 retries by itself."
  },
  {
    key: "err-quota",
    title: "Error 0x80070070",
    content:
      "0x80070070 says that the disk is full. Free two gigabytes, or move the cache to another drive under Settings, Storage."
  },
  {
    key: "api-limits",
    title: "Rate limits of the API",
    content:
      "A key may make 600 requests a minute. Above that the answer is 429 with the header Retry-After. Ask us for a higher quota with your use case."
  },
  {
    key: "offline",
    title: "Working without a connection",
    content:
      "The desktop app keeps the last thirty days on your computer. What you change on a plane or a train is merged at the next sync; where two people have changed the same line, both versions are kept."
  },
  {
    key: "languages",
    title: "Language of the interface",
    content:
      "The interface speaks English, German, French, Spanish and Japanese. Each member chooses under Profile; the owner sets what new members see."
  },
  {
    key: "delete-account",
    title: "Deleting an account",
    content:
      "Owners erase the workspace under Settings, Danger zone. All projects are gone after thirty days and cannot be brought back. Members leave with 'Leave workspace'."
  },
  // Other languages.
  {
    key: "de-ruecksendung",
    title: "Rücksendung und Umtausch",
    content:
      "Sie können ungebrauchte Ware innerhalb von 30 Tagen zurückschicken. Drucken Sie das Rücksendeetikett in Ihrem Kundenkonto aus und geben Sie das Paket bei der Post ab. Die Kosten der Rücksendung tragen wir."
  },
  {
    key: "de-rechnung",
    title: "Kauf auf Rechnung",
    content:
      "Rechnungen sind innerhalb von 14 Tagen zu bezahlen. Bei Verzug berechnen wir eine Mahngebühr von 5 Euro. Ratenzahlungen vereinbaren Sie bitte mit der Buchhaltung."
  },
  {
    key: "de-oeffnung",
    title: "Öffnungszeiten",
    content: "Unser Ladengeschäft in München hat montags bis samstags von 10 bis 19 Uhr geöffnet, an Feiertagen nicht."
  },
  {
    key: "es-envio",
    title: "Plazos de envío",
    content:
      "Los pedidos se entregan en la península en dos o tres días laborables. A Canarias y Baleares tardan hasta una semana. Recibirá un correo con el número de seguimiento."
  },
  {
    key: "es-devolucion",
    title: "Devoluciones",
    content:
      "Puede devolver los artículos sin usar en un plazo de 30 días. El reembolso se hace en la misma tarjeta. Los gastos corren a cargo de la tienda."
  },
  {
    key: "hi-refund",
    title: "रिफंड कब मिलेगा",
    content:
      "सामान वापस मिलने के बाद रिफंड पांच से सात कार्य दिवसों में आपके बैंक खाते में आ जाता है। उपहार कार्ड का पैसा तुरंत लौटाया जाता है।"
  },
  {
    key: "hi-delivery",
    title: "डिलीवरी का समय",
    content:
      "बड़े शहरों में डिलीवरी दो दिनों में होती है, गांवों में एक सप्ताह लग सकता है। पार्सल की स्थिति देखने के लिए ट्रैकिंग नंबर का उपयोग करें।"
  },
  {
    key: "ja-password",
    title: "パスワードの再設定",
    content:
      "ログイン画面で「パスワードを忘れた場合」を選び、メールアドレスを入力してください。届いたリンクは一時間有効です。"
  },
  {
    key: "ja-returns",
    title: "返品と交換",
    content: "未使用の商品は到着後三十日以内であれば返品できます。送料は当店が負担します。セール品は交換のみ承ります。"
  },
  {
    key: "fr-retard",
    title: "Colis en retard",
    content:
      "Si votre colis n'est pas arrivé au bout de cinq jours ouvrés, ouvrez une réclamation. Le remboursement est effectué sous une semaine, ou nous expédions un nouveau colis."
  }
]

const asked = (kind: QuestionKind, question: string, ...answers: ReadonlyArray<string>): LabelledQuestion => ({
  kind,
  question,
  answers
})

export const questions: ReadonlyArray<LabelledQuestion> = [
  asked("ordinary", "how long do I have to send something back?", "returns"),
  asked("ordinary", "What does delivery cost?", "shipping-cost"),
  asked("ordinary", "do you ship to Norway", "abroad"),
  asked("ordinary", "where can I find my tracking number?", "tracking"),
  asked("ordinary", "Can I put the kettle in the dishwasher?", "kettle"),
  asked("ordinary", "is there parking at your store?", "opening"),
  asked("ordinary", "can I pay with paypal", "payment"),
  asked("ordinary", "how do I cancel my subscription plan", "plan"),
  asked("ordinary", "How do I cancel my order?", "cancel-order"),
  asked("ordinary", "I want to cancel my appointment tomorrow", "cancel-appointment"),
  asked("ordinary", "Am I allowed to drink water before the blood test?", "fasting"),
  asked("ordinary", "what's the wifi... no wait, what are your opening hours?", "opening"),
  asked("ordinary", "I forgot my password", "password"),
  asked("ordinary", "How many API requests can I make per minute?", "api-limits"),
  asked("ordinary", "can I use the app offline on a plane?", "offline"),
  asked("ordinary", "Where do I download my invoice as a PDF?", "invoices"),
  asked("ordinary", "are you open on Sunday?", "opening"),
  asked("ordinary", "does the practice have a lift for wheelchairs", "parking-clinic"),
  asked("ordinary", "which vaccinations do you offer", "vaccination"),
  asked("ordinary", "export all my projects as csv", "export"),
  asked("ordinary", "How long is the guarantee on pans?", "warranty"),
  asked("ordinary", "When do I get my refund?", "refund-time"),
  // Other words than the entry's, but for one or two.
  asked("paraphrase", "my glass bowl came in shards", "damaged"),
  asked("paraphrase", "will a copper pot heat up on my induction stove", "pans"),
  asked("paraphrase", "white crust of limescale in my coffee maker, what can I do?", "descaling"),
  asked("paraphrase", "my courier hasn't moved for days, is the package lost?", "tracking"),
  asked("paraphrase", "we got the same present twice from wedding guests", "wedding"),
  asked("paraphrase", "I keep getting your newsletter, take me off", "newsletter"),
  asked("paraphrase", "lost my phone, can't get the authenticator code", "two-factor"),
  asked("paraphrase", "need more of my medicine without seeing the doctor", "prescription"),
  asked("paraphrase", "it is the weekend and I have chest pain", "emergency"),
  asked("paraphrase", "my laptop says the disk is full", "err-quota"),
  asked("paraphrase", "can you grind my chef's blade", "knives"),
  asked("paraphrase", "I would like to erase everything and leave", "delete-account"),
  asked("paraphrase", "switch the menus to French please", "languages"),
  // As people ask who have never seen the entry: what has no word in common is not found by words, and counts as a miss.
  asked("unprepared", "my parcel never came", "tracking"),
  asked("unprepared", "what happens if I don't show up", "cancel-appointment"),
  asked("unprepared", "is it ok to have breakfast before my blood test", "fasting"),
  asked("unprepared", "how do I get our VAT number onto the bill", "invoices"),
  asked("unprepared", "do you take american express cards", "payment"),
  asked("unprepared", "the toaster stopped working after a year, is that under guarantee?", "warranty"),
  asked("unprepared", "I bought the wrong thing and want to exchange it", "returns"),
  asked("unprepared", "we are sending too many requests it seems", "api-limits"),
  asked("unprepared", "how much is express shipping", "shipping-cost"),
  asked("unprepared", "flu shot", "vaccination"),
  asked("unprepared", "please stop charging me, I want to end this", "plan"),
  asked("unprepared", "my child is ill, can she come to the check-up", "children"),
  asked("unprepared", "is my data gone when I quit", "delete-account", "export"),
  asked("unprepared", "the machine tastes of vinegar now", "descaling"),
  // Articles and error codes.
  asked("code", "AB-1234", "kettle"),
  asked("code", "what is the volume of ab1243?", "kettle-small"),
  asked("code", "does the AB 1234 switch itself off", "kettle"),
  asked("code", "my blender shows E-23", "blender"),
  asked("code", "e41??", "blender"),
  asked("code", "getting ERR_CONN_RESET again", "err-conn"),
  asked("code", "error 0x80070070 on startup", "err-quota"),
  asked("code", "your server answered 429", "api-limits"),
  asked("code", "is 2.3.1 the version with retries", "err-conn"),
  // As thumbs type.
  asked("typo", "how do i resett my pasword", "password"),
  asked("typo", "whats the shiping cost for expres delivry", "shipping-cost"),
  asked("typo", "can i book an apointment onlin", "appointment"),
  asked("typo", "waranty on appliences", "warranty"),
  asked("typo", "vacination agianst tetnus", "vaccination"),
  asked("typo", "gift vuocher valid how long", "gift-card"),
  // Other forms of the words.
  asked("plural", "instalment payments", "payment"),
  asked("plural", "are babies examined in the mornings", "children"),
  asked("plural", "sharpen a knife", "knives"),
  asked("plural", "laboratories' result", "results"),
  asked("plural", "ordering a spare seal", "spare-parts"),
  // Other languages.
  asked("language", "Wie kann ich eine Ware zurückschicken?", "de-ruecksendung"),
  asked("language", "Bis wann muss ich die Rechnung bezahlen?", "de-rechnung"),
  asked("language", "wann habt ihr in muenchen geöffnet", "de-oeffnung"),
  asked("language", "¿Cuánto tarda un envío a Canarias?", "es-envio"),
  asked("language", "quiero devolver un articulo", "es-devolucion"),
  asked("language", "मेरा रिफंड कितने दिनों में आएगा?", "hi-refund"),
  asked("language", "पार्सल ट्रैकिंग कैसे करें", "hi-delivery"),
  asked("language", "パスワードを忘れました", "ja-password"),
  asked("language", "セールで買った商品を返品したいです", "ja-returns"),
  asked("language", "Mon colis est en retard, que faire ?", "fr-retard"),
  // What breaks searches that read a question as a query.
  asked("syntax", '"induction" AND (pans OR -copper*', "pans"),
  asked("syntax", "title:newsletter NEAR/2 ^unsubscribe", "newsletter"),
  asked("syntax", "'; drop table knowledge; -- wedding list", "wedding"),
  asked("syntax", "what's the kettle's wattage? (2200 w)", "kettle"),
  // A whole message.
  asked(
    "long",
    "Hello there, I hope you are well! I ordered a few things from you two weeks ago, everything was fine with the payment and all, but now that I have opened the box I see that the plates are broken and there is damage on the box too. My partner says we should take photographs. What should I do now, and do I have to send the shards back to you? Many thanks and kind regards, Anna",
    "damaged"
  )
]

/** Questions that no entry answers. */
export const unanswerable: ReadonlyArray<string> = [
  "Do you repair bicycles?",
  "what is the capital of Mongolia",
  "Can you write me a poem about autumn leaves?",
  "Who won the football match yesterday?",
  "haben Sie Fahrräder im Angebot?",
  "how tall is the Eiffel tower",
  "recommend a good thriller novel",
  "ZX-9981",
  "天気はどうですか",
  "क्या आप साइकिल बेचते हैं"
]
