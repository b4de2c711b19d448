/**
 * Words that a question has whatever it is about, folded as by `fold`. English, German, Spanish, French,
 * Portuguese, Italian, Hindi, Japanese and Chinese in one list, because nobody says in which language a question is: a word
 * that names a thing in one of them (hat, car, fin) is left out. Pure.
 */

const lists = [
  // English
  `a about after again all also am an and any anybody anyone anything are aren as at be because been before being between both but by
   can could couldn did didn do does doesn doing don each either else for from get gets getting go going got had hadn has hasn have
   haven having he hello help her here hers hey hi him his how however i if im in into is isn it its ive just know let like ll may me
   might mine more most much must my need no not now of off ok okay on one only or other our ours out over please possible re really
   same shall she should shouldn so some something somebody someone still such tell than thank thanks that the their them then there
   these they thing this those through to too under until up us use used using very via want wants was wasn way we well were weren
   what whats when where whether which while who whom whose why will with without won would wouldn yes yet you your yours`,
  // German
  `aber alle als am an auch auf aus bei bin bis bist bitte da dann das dass dein deine dem den denn der des dich die dir doch du durch
   ein eine einem einen einer eines er es etwas euch euer fur gegen gibt haben habe habt hallo hatte ich ihm ihn ihr ihre ihrem ihren
   ihrer im in ist ja jede jeder kann kannst kein keine konnen konnte man mehr mein meine meinem meinen meiner mich mir mit muss mussen
   nach nicht noch nur ob oder ohne schon sein seine sich sie sind so soll uber um und uns unser unsere vom von vor wann war warum was
   weil welche welchem welchen welcher welches wenn wer werde werden wie wieder wir wird wo wollen zu zum zur`,
  // Spanish
  `al algo algun alguna como con cual cuales cuando cuanto cuanta cuantos cuantas de del desde donde el ella ellos en entre era es esa
   ese eso esta estan estar este esto estos favor fue ha hace hacer hacia han hasta hay hola la las le les lo los mas me mi mis muy
   nada ni no nos nosotros o os otra otro para pero poco por porque puede puedo puedes que quien quiero se sea ser si sin sobre son su
   sus tambien te tener tengo tiene tienen toda todo todos tu tus un una uno unos y ya yo`,
  // French
  `a ai aucun aussi autre aux avec avez avoir avons bonjour ca ce ceci cela ces cet cette chez combien comme comment d dans de depuis
   des dois doit donc du elle elles en est et etre eu faire fait faut il ils j je l la le les leur leurs lui ma mais me mes moi mon ne
   nos notre nous on ont ou par pas peut peux plait plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi sa sans se
   ses si sont sur ta te tes toi ton tous tout toute tres tu un une vos votre vous y`,
  // Portuguese, Italian
  `ao aos as com da das dos e em eu isso isto mas meu minha na nas nao no nos num numa o onde os para pelo pela pode posso qual quais
   quem sao sem ser seu sua tem uma voce
   che chi ci come cosa da dal della delle dei di dove gli ho hai il io ma mi mio mia nel nella non per piu posso puo quale quando
   quanto questa questo sono un una vorrei`,
  // Hindi
  `अगर अपना अपनी अपने अब आप आपका आपकी आपके इस इसका इसकी इसके इसे उस उसका उसके एक ऐसा ऐसे और कब कर करता करते करना करने करूं करें का कि
   किस किसी की कुछ के कैसे को कोई कौन क्या क्यों गया गई गए चाहिए जब जा जाता जाती जाते जो तक तब तो था थी थे दे दें द्वारा ने नहीं पर
   फिर बारे बहुत भी मुझे में मेरा मेरी मेरे मैं यदि यह या ये रहा रही रहे लिए ले लेकिन वह वहां वे वो सकता सकती सकते सब साथ से हम हमारा
   हमारे हां है हैं हुआ हुई हुए हूं हो होता होती होते होना होने कितना कितनी कितने कहां`,
  // Japanese
  `は が を に へ と も の で や か ね よ な だ です ます ません でした ました ある あり あります いる い います する し します した して
   できる でき できます られ れ たい たく から まで より こと もの ため よう これ それ あれ この その あの ここ そこ どこ いつ 何 なに 誰
   どう どの どれ どんな なぜ いくら ください 下さい お ご 方法 教え 私 さん て た ば なら ので のに けど さ せ い`,
  // Chinese
  `的 了 是 在 我 你 您 他 她 它 们 我们 你们 有 没有 和 与 或 吗 呢 吧 啊 什么 怎么 怎样 怎么样 如何 为什么 哪 哪里 哪个 多少 几 谁 这 那 这个 那个 可以 能
   能够 会 要 想 请 请问 就 都 也 不 很 把 被 给 对 到 从 用 一个 一下 嗎 們 什麼 怎麼 為什麼 哪裡 請 請問 給 對 從 會`
]

const words: ReadonlySet<string> = new Set(lists.flatMap((list) => list.split(/\s+/)))

/** True of a folded word that says nothing about what a question is about. */
export const isStopWord = (word: string): boolean => words.has(word)
